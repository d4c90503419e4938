// No event is lost while the servers of a JetStream cluster are killed one after the other.
import { expect, it } from 'vitest'
import type { PetCreated } from '../../src/domain/events/domain-event.js'
import { describeWith } from '../support/containers/describe-with.js'
import { storedMessages } from '../support/nats/nats-broker.js'
import { inSync, startCluster } from '../support/nats/nats-cluster.js'
import { eventFrom, failed, makeEvent, openPublisher } from '../support/nats/nats-publisher.js'
import { startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { ledgerOf, SUBJECT } from './event-scene.js'

const idsUpTo = (last: number): readonly bigint[] => Array.from({ length: last }, (_, at) => BigInt(at + 1))

describeWith('nats-container', 'a cluster of three brokers', () => {
  it('takes events from a publisher that knew only its first server, on whichever servers survive', async () => {
    const nodes = await startCluster()
    const [first, second] = nodes
    const { publisher, publish, subject, connected, notices } = openPublisher(first.url)
    await connected()
    let last = 0
    const makeTen = () => {
      last += 10
      return Array.from({ length: 10 }, (_, at) => makeEvent(last - 9 + at))
    }
    /** Publishes again what fails, as the relay does. */
    const publishAll = (events: readonly PetCreated[]) => {
      let pending = events
      const publishPending = async () => {
        const deliveries = await publish(...pending)
        pending = pending.filter((_, at) => deliveries[at]?._tag !== 'Delivered')
        expect(pending).toStrictEqual([])
      }
      return eventually(publishPending, { timeout: 40_000 })
    }
    const storedIds = async () => (await storedMessages(first.url, subject)).map(({ text }) => eventFrom(text).pet.id)

    for (let round = 0; round < 5; round += 1) await publishAll(makeTen())
    expect(await storedIds()).toStrictEqual(idsUpTo(last))
    for (const node of nodes) {
      await inSync(first.url, subject)
      const publishing = publishAll(makeTen())
      await node.kill()
      await publishing
      await publishAll(makeTen())
      await node.start()
    }
    await inSync(first.url, subject)
    await Promise.all([first.kill(), second.kill()])
    const missed = makeTen()
    expect(await publish(...missed)).toStrictEqual(missed.map(() => failed))
    await Promise.all([first.start(), second.start()])
    await publishAll(missed)
    await inSync(first.url, subject)
    const ids = await storedIds()
    expect(ids).toHaveLength(last)
    expect(new Set(ids)).toStrictEqual(new Set(idsUpTo(last)))

    expect(publisher.isConnected()).toBe(true)
    expect(notices.filter(({ level }) => level === 'error')).toStrictEqual([])
    const changes = notices.map(({ message }) => message).filter((message) => /^(?:connected to|lost) /.test(message))
    expect(changes.length).toBeGreaterThan(2)
    expect(changes.filter((message, at) => message === changes[at - 1])).toStrictEqual([])
  })

  it('gets every event of the service', async () => {
    const nodes = await startCluster()
    const [first] = nodes
    const [scheme, ...hosts] = nodes.map(({ url }, at) => (at === 0 ? url : new URL(url).host))
    const settings = { DATA_DIR: await temporaryFolder(), EVENTS_URL: [scheme, ...hosts].join() }
    const ledger = await ledgerOf(settings)
    const { url } = await startServiceProcess(settings)
    const stopLoad = ledger.load(url)
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(20))
    for (const node of nodes) {
      await inSync(first.url, SUBJECT)
      await node.kill()
      const before = ledger.acknowledged()
      await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(before + 100))
      await node.start()
    }
    expect(await stopLoad()).toBe(0)
    await ledger.drained()
    await ledger.readStream(first.url)
    ledger.check()
  })
})
