// No event is lost or overtaken on its way to a webhook, whatever fails: the service or the receiver.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import type { Environment } from '../support/processes/cli-process.js'
import { startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { byNight } from '../support/runner/night.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { startReceiver } from '../support/webhook/receiver.js'
import { ledgerOf } from './event-scene.js'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A receiver whose events are checked against what the API acknowledged. */
const makeScene = async (settings: Environment) => {
  const receiver = await startReceiver()
  const all = { ...settings, EVENTS_URL: receiver.url, EVENTS_SECRET: receiver.secret }
  const ledger = await ledgerOf(all)
  /** Every acknowledged event has arrived, and those that arrived for the first time did so in the order of the log. */
  const check = (): void => {
    for (const body of receiver.accepted) ledger.see(body)
    ledger.check()
    const ids = [...new Set(receiver.accepted.map((body) => Number(/"subject":"(\d+)"/.exec(body)?.[1])))]
    expect(ids).toStrictEqual(ids.toSorted((one, other) => one - other))
    expect(receiver.mostAtOnce()).toBe(1)
  }
  return { ...ledger, receiver, settings: all, check }
}

type Change = (receiver: Receiver) => Promise<void> | void

const works: Change = ({ responses }) => responses(() => 200)
const responsesWith =
  (status: number, headers: Readonly<Record<string, string>> = {}): Change =>
  ({ responses }) =>
    responses((_request, _before, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      return status
    })

const FAULTS: readonly (readonly [fault: string, begin: Change, end: Change])[] = [
  ['is killed, and starts again', ({ kill }) => kill(), ({ restart }) => restart()],
  ['hangs', ({ responses }) => responses(() => undefined), works],
  ['answers 503 with Retry-After', responsesWith(503, { 'retry-after': '2' }), works],
  [
    'stores events, and breaks off before it answers',
    ({ responses, accepted }) =>
      responses(({ body }, _, response) => {
        accepted.push(body)
        response.destroy()
        return undefined
      }),
    works,
  ],
]

const KILLS = byNight(4, 1)

const takesOver = (makeSettings: () => Promise<Environment>): void => {
  it('lets another process take over at once from one that stops while the receiver is away', async () => {
    const { receiver, settings, load, drained, acknowledged, check } = await makeScene(await makeSettings())
    const [one, other] = [await startServiceProcess(settings), await startServiceProcess(settings)]
    const stopLoad = load(other.url)
    await eventually(() => expect(receiver.accepted.length).toBeGreaterThan(20))
    await receiver.kill()
    const before = acknowledged()
    await eventually(() => expect(acknowledged()).toBeGreaterThan(before + 50))
    expect(await one.end('SIGTERM')).toBe(0)
    await receiver.restart()
    expect(await stopLoad()).toBe(0)
    await drained()
    check()
  })
}

const embedded = async (): Promise<Environment> => ({ STORE: 'embedded', DATA_DIR: await temporaryFolder() })

describe('a webhook of the embedded store', () => {
  takesOver(embedded)

  it('loses no event to repeated kill -9 of the service', async () => {
    const { receiver, settings, load, drained, acknowledged, doubles, check } = await makeScene(await embedded())
    let kill = (): void => {}
    let killAt = Number.POSITIVE_INFINITY
    receiver.responses((_, before) => {
      // the event is stored, and the service is killed before it gets the answer
      if (before >= killAt) kill()
      return 200
    })
    for (let round = 0; round < KILLS; round += 1) {
      const one = await startServiceProcess(settings)
      const killed = new Promise<void>((resolve) => {
        kill = () => void one.end('SIGKILL').then(() => resolve())
      })
      killAt = receiver.requests.length + 1 + round * 5
      const stopLoad = load(one.url)
      await killed
      killAt = Number.POSITIVE_INFINITY
      await stopLoad()
    }
    await startServiceProcess(settings)
    await drained()
    check()
    expect(acknowledged()).toBeGreaterThan(KILLS)
    expect(doubles()).toBeGreaterThan(0)
  })

  it.each(FAULTS)('serves requests, and catches up in order, when the receiver %s', async (_, begin, end) => {
    const { receiver, settings, load, drained, acknowledged, check } = await makeScene(await embedded())
    const { url } = await startServiceProcess(settings)
    const stopLoad = load(url)
    await eventually(() => expect(receiver.accepted.length).toBeGreaterThan(20))
    await begin(receiver)
    const before = acknowledged()
    await eventually(() => expect(acknowledged()).toBeGreaterThan(before + 100))
    expect((await fetch(url.replace('/v1', '/health/ready'))).status).toBe(200)
    expect(await stopLoad()).toBe(0)
    await end(receiver)
    await drained()
    check()
  })
})

// events.fault.test.ts kills the service on MongoDB, and what a receiver does is the same for every store
describeWith('mongodb', 'a webhook of MongoDB', (uri) => {
  takesOver(async () => {
    const address = new URL(uri)
    address.pathname = `/webhook_test_${randomUUID().slice(0, 8)}`
    return { MONGODB_URI: address.href }
  })
})
