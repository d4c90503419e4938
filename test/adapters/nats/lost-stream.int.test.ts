// A stream that is deleted while no instance runs: the service reports it at its next start.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { makeEventLedger } from '../../support/nats/event-ledger.js'
import { deleteStreams, storedMessages } from '../../support/nats/nats-broker.js'
import { BUILT, type Environment, startCli } from '../../support/processes/cli-process.js'
import { issueKey, runCommand } from '../../support/processes/service-process.js'
import { eventually } from '../../support/runner/eventually.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const LISTENING = /"url":"(http:[^"]+)"[^\n]*"msg":"listening"/

describeWith('nats', 'a lost event stream', (eventsUrl) => {
  const makeSettings = async (): Promise<Environment> => ({
    DATA_DIR: await temporaryFolder(),
    EVENTS_URL: eventsUrl,
    EVENTS_TYPE_PREFIX: `test.${randomUUID()}`,
    PORT: '0',
  })
  const serve = (settings: Environment) => startCli(BUILT, settings, 'serve')

  it('causes an error in the log of the next start', async () => {
    const settings = await makeSettings()
    const subject = `${settings['EVENTS_TYPE_PREFIX']}.pet.created.v1`
    const key = await issueKey(settings)
    const first = serve(settings)
    await first.find(/"level":"info"[^\n]*the event stream has been created/)
    expect(await makeEventLedger().create(await first.find(LISTENING), key, 'Rex')).toBe(true)
    await eventually(async () => expect(await runCommand(settings, 'events', 'backlog')).toMatch(/^0 waiting/))
    await first.end('SIGTERM')
    await deleteStreams(eventsUrl, subject)
    const second = serve(settings)
    await second.find(/"level":"error"[^\n]*the event stream was gone and has been created again/)
    await runCommand(settings, 'events', 'replay', '--from', '2020-01-01')
    await eventually(async () => expect(await storedMessages(eventsUrl, subject)).toHaveLength(1))
  }, 60_000)
})
