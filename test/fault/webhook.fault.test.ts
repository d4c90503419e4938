// A webhook receives every event in order, whatever the receiver does. events.fault.test.ts kills the service.
import { describe, expect, it } from 'vitest'
import { startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { startReceiver } from '../support/webhook/receiver.js'
import { ledgerOf } from './event-scene.js'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const makeScene = async () => {
  const receiver = await startReceiver()
  const settings = { DATA_DIR: await temporaryFolder(), EVENTS_URL: receiver.url, EVENTS_SECRET: receiver.secret }
  const ledger = await ledgerOf(settings)
  /** Every acknowledged event has arrived, and the first arrivals were in log order. */
  const check = (): void => {
    for (const body of receiver.accepted) ledger.see(body)
    ledger.check()
    const ids = [...new Set(receiver.accepted.map((body) => Number(/"subject":"(\d+)"/.exec(body)?.[1])))]
    expect(ids).toStrictEqual(ids.toSorted((one, other) => one - other))
    expect(receiver.mostAtOnce()).toBe(1)
  }
  return { ...ledger, receiver, settings, check }
}

type Change = (receiver: Receiver) => Promise<void> | void

const works: Change = ({ responses }) => responses(() => 200)
const refusing: Change = ({ responses }) =>
  responses((_request, _before, response) => {
    response.setHeader('retry-after', '2')
    return 503
  })
const breakingOff: Change = ({ responses, accepted }) =>
  responses(({ body }, _, response) => {
    accepted.push(body)
    response.destroy()
    return undefined
  })

describe('a webhook of the embedded store', () => {
  it('lets another process take over at once from one that stops while the receiver is away', async () => {
    const { receiver, settings, load, drained, acknowledged, check } = await makeScene()
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

  it.each<readonly [fault: string, begin: Change, end: Change]>([
    ['is killed, and starts again', ({ kill }) => kill(), ({ restart }) => restart()],
    ['hangs', ({ responses }) => responses(() => undefined), works],
    ['answers 503 with Retry-After', refusing, works],
    ['stores events, and breaks off before it answers', breakingOff, works],
  ])('serves requests, and catches up in order, when the receiver %s', async (_, begin, end) => {
    const { receiver, outlast, check } = await makeScene()
    await outlast(
      () => expect(receiver.accepted.length).toBeGreaterThan(20),
      () => begin(receiver),
      () => end(receiver),
    )
    check()
  })
})
