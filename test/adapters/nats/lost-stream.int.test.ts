// A stream that is deleted while no instance runs: the service reports it at its next start.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { makeEventLedger } from '../../support/nats/event-ledger.js'
import { deleteStreams, storedMessages } from '../../support/nats/nats-broker.js'
import { BUILT, type Environment, startCli } from '../../support/processes/cli-process.js'
import { issueKey, runCommand } from '../../support/processes/service-process.js'
import { closeAfterEach } from '../../support/runner/closing.js'
import { eventually } from '../../support/runner/eventually.js'

const closing = closeAfterEach()
const LISTENING = /"url":"(http:[^"]+)"[^\n]*"msg":"listening"/

describeWith('nats', 'a lost event stream', (eventsUrl) => {
  const makeSettings = async (): Promise<Environment> => ({
    DATA_DIR: closing(await mkdtemp(join(tmpdir(), 'stream-')), (path) => rm(path, { recursive: true })),
    EVENTS_URL: eventsUrl,
    EVENTS_TYPE_PREFIX: `test.${randomUUID()}`,
    PORT: '0',
  })
  const serve = (settings: Environment) => closing(startCli(BUILT, settings, 'serve'), (one) => one.end('SIGKILL'))

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
