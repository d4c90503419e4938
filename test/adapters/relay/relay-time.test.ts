// The relay's default times, on a clock that only the tests move.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { DEFAULT_RELAY, startRelay } from '../../../src/adapters/relay/relay-loop.js'
import { makeBackOff } from '../../../src/adapters/relay/waiting.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { Delivery } from '../../../src/ports/event-publisher.js'
import type { Store } from '../../../src/ports/store.js'
import { event, range, recordOf, succeed } from '../../../src/testing/samples.js'
import { delivered, failed, holding, pendingIn, poisoned, saveRelay } from '../../support/domain/log-reads.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'

/** So that no delay is shortened at random. */
const crypto = { ...nodeCrypto, randomBytes: () => new Uint8Array(4).fill(255) }
const away = TE.left(unavailable(new Error('away')))
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A relay with default times that must send these events, and the times of its attempts. */
const scene = async (events: number) => {
  const store = await holding(...range(1, events))
  const is: { first?: Delivery; answer: Delivery; readable: boolean; writable: boolean } = {
    answer: delivered,
    readable: true,
    writable: true,
  }
  const [tries, messages]: [number[], string[]] = [[], []]
  const answers = async (count: number): Promise<readonly Delivery[]> => {
    tries.push(performance.now())
    // a relay that never waits would hang the test
    if (tries.length > 99) throw new Error('too many tries')
    return range(1, count).map((at) => (at === 1 && is.first) || is.answer)
  }
  const log: Store['log'] = { ...store.log, read: (request) => (is.readable ? store.log.read(request) : away) }
  const save: Store['relay']['save'] = (record) => async () => {
    return is.writable ? store.relay.save(record)() : away()
  }
  const ports = {
    log,
    relay: { ...store.relay, save },
    publisher: { publish: (all: readonly unknown[]) => () => answers(all.length) },
    clock: systemClock,
    crypto,
  }
  const relay = startRelay(ports, DEFAULT_RELAY, ({ message }) => messages.push(message))
  onTestFinished(async () => {
    is.writable = true
    const stopped = relay.stop()
    await advance(10_000)
    await stopped
  })
  return { store, is, tries, messages, relay }
}

const waits = (times: readonly number[]) => times.slice(1).map((time, at) => Math.round(time - (times[at] ?? 0)))

describe('a relay with the defaults', () => {
  beforeEach(() =>
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
  )

  it('tries an event that is refused five times, and parks it', async () => {
    const { is, tries, messages } = await scene(1)
    is.answer = poisoned
    await advance(60_000)
    expect(waits(tries)).toStrictEqual([100, 200, 400, 800])
    expect(messages).toStrictEqual(['an event was parked'])
  })

  it('waits at most five seconds between two tries, and soon tries again after the next outage', async () => {
    const { is, tries, messages, store, relay } = await scene(1)
    is.answer = failed
    await advance(25_000)
    expect(waits(tries)).toStrictEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000])
    is.answer = delivered
    await advance(5_000)
    expect(messages).toStrictEqual(['events cannot be delivered', 'event delivery has recovered'])
    tries.length = 0
    is.answer = failed
    await saveRelay(store, 0)
    await advance(3_400)
    relay.added()
    await advance(400)
    expect(waits(tries).slice(0, 2)).toStrictEqual([100, 200])
  })

  it.each([
    ['as long as the receiver asks', 4_000, [4_000, 4_000]],
    ['as ever if the receiver asks for a time that is none', Number.NaN, [100, 200, 400, 800, 1_600, 3_200]],
  ] as const)('waits %s', async (_, wait, expected) => {
    const { is, tries } = await scene(1)
    is.answer = { _tag: 'Failed', reason: 'gone', wait }
    await advance(11_000)
    expect(waits(tries)).toStrictEqual(expected)
  })

  it('sends within a second what another process has added, and saves that at once, with a lease of ten seconds', async () => {
    const { tries, store } = await scene(0)
    await advance(1)
    await succeed(store.pets.add(recordOf(event(1))))
    await advance(1_000)
    expect(tries).toHaveLength(1)
    expect(await succeed(store.relay.load)).toMatchObject(O.some({ position: 1, leaseMs: 10_000 }))
  })

  it('keeps its lease while it waits as long as the receiver asks', async () => {
    const { is, store, relay } = await scene(1)
    is.answer = { _tag: 'Failed', reason: 'busy', wait: 3_600_000 }
    await advance(60_000)
    expect(relay.isActive()).toBe(true)
    expect(O.toUndefined(await succeed(store.relay.load))?.version).toBeGreaterThan(9)
  })

  it('soon tries again while each try delivers something', async () => {
    const { is, tries } = await scene(5)
    is.first = delivered
    is.answer = failed
    await advance(1_000)
    expect(waits(tries)).toStrictEqual([100, 100, 100, 100])
  })

  it('reports that the log is unavailable during an outage of delivery, and a recovery once both are over', async () => {
    const { is, messages } = await scene(1)
    is.answer = failed
    await advance(50)
    is.readable = false
    await advance(20_000)
    is.readable = true
    await advance(20_000)
    const both = ['events cannot be delivered', 'the log of events is unavailable']
    expect(messages).toStrictEqual(both)
    is.answer = delivered
    await advance(5_000)
    expect(messages).toStrictEqual([...both, 'event delivery has recovered'])
  })

  it('sends ever more seldom what it cannot save, and reports that once', async () => {
    const { is, tries, messages, store } = await scene(1)
    await advance(1)
    is.writable = false
    await advance(60_000)
    expect(messages).toStrictEqual(['the position of the relay cannot be saved'])
    expect(tries.length).toBeLessThan(20)
    is.writable = true
    await advance(10_000)
    expect(messages).toStrictEqual(['the position of the relay cannot be saved', 'event delivery has recovered'])
    expect(await pendingIn(store)).toStrictEqual([])
  })
})

it.each([
  [1, 50, 100],
  [6, 1_600, 3_200],
  [5_000, 2_500, 5_000],
])('a back-off after %i failures takes from %i to %i ms', (failures, least, most) => {
  const rolled = (byte: number) =>
    makeBackOff({ randomBytes: () => new Uint8Array(4).fill(byte) }, DEFAULT_RELAY.backOff)
  expect([0, 255].map((byte) => rolled(byte)(failures))).toStrictEqual([least, most])
})
