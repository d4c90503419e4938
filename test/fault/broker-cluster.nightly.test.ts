// No event is lost while the servers of a JetStream cluster are killed one after the other.
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { inSync, startCluster } from '../support/nats/nats-cluster.js'
import { startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { ledgerOf, SUBJECT } from './event-scene.js'

describeWith('nats-container', 'a cluster of three brokers', () => {
  it('gets every event of a service that knew only its first server, on whichever servers survive', async () => {
    const nodes = await startCluster()
    const [first, second] = nodes
    const settings = { DATA_DIR: await temporaryFolder(), EVENTS_URL: first.url }
    const ledger = await ledgerOf(settings)
    const { url } = await startServiceProcess(settings)
    const stopLoad = ledger.load(url)
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(20))
    // two of three are too many
    for (const killed of [...nodes.map((node) => [node]), [first, second]]) {
      await inSync(first.url, SUBJECT)
      await Promise.all(killed.map((node) => node.kill()))
      const before = ledger.acknowledged()
      await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(before + 100))
      await Promise.all(killed.map((node) => node.start()))
    }
    expect(await stopLoad()).toBe(0)
    await ledger.drained()
    await ledger.readStream(first.url)
    ledger.check()
  })
})
