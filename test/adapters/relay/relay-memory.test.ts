// The record that a relay keeps while it runs, in virtual time: when it is saved, and that saves never overlap.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it, vi } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { nodeCrypto } from '../../../src/adapters/node/system.js'
import { makeLease, makeRelayMemory } from '../../../src/adapters/relay/relay-lease.js'
import { makeOutageReport } from '../../../src/adapters/relay/waiting.js'
import { unusedAfter } from '../../../src/domain/events/relay-record.js'
import type { RelayState } from '../../../src/ports/event-log.js'
import { succeed } from '../../../src/testing/samples.js'
import { relayScene } from '../../support/domain/relay-scene.js'
import { eventually } from '../../support/runner/eventually.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'
import { makeGate } from '../../support/runner/gate.js'

const TIMES = { leaseMs: 3_000, saveIntervalMs: 50 }
const ACQUIRED = { ...unusedAfter(0), version: 1, holder: 'a', leaseMs: 3_000 }
const clock = { monotonicMs: () => performance.now() }

const memoryOver = (save: RelayState['save']) => {
  const relay = { ...makeMemoryStore().relay, save }
  return makeRelayMemory(
    { relay, clock },
    TIMES,
    makeOutageReport(() => {}),
    ACQUIRED,
  )
}

it('progress is saved soon, also if ids that no pet got are passed before that', () => {
  const memory = memoryOver(() => async () => E.right(true))
  expect(memory.intervalMs()).toBe(1_000)
  memory.put({ ...ACQUIRED, position: 1 }, true)
  memory.put({ ...ACQUIRED, position: 2 }, false)
  expect(memory.intervalMs()).toBe(50)
})

it('while a receiver takes its time, saves that take longer wait for each other, and what follows waits for them', async () => {
  useFakeTimers()
  let [saving, most, saves] = [0, 0, 0]
  const slow = () => new Promise((resolve) => setTimeout(resolve, 2_500))
  const memory = memoryOver(() => async () => {
    saving += 1
    most = Math.max(most, saving)
    await slow()
    saving -= 1
    saves += 1
    return E.right(true)
  })
  const received = makeGate()
  const renewed = memory.renewing(received.opened).then(() => saving)
  await vi.advanceTimersByTimeAsync(3_500)
  received.open()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await renewed).toBe(0)
  expect([most, saves]).toEqual([1, 3])
})

it('a relay that another one has overtaken does not run', async () => {
  const store = makeMemoryStore()
  const overtaken: RelayState = { ...store.relay, save: () => async () => E.right(false) }
  expect(await succeed(makeLease({ ...store, relay: overtaken, clock, crypto: nodeCrypto }, 1_000))).toStrictEqual(
    O.none,
  )
})

it('the position passes ids that no pet got', async () => {
  const { store, start, saved } = relayScene()
  const read = vi.fn(async () => E.right({ events: [], damaged: [], upTo: 7 }))
  const head = async () => E.right({ logId: 'log', last: 7 })
  const relay = start(undefined, { log: { ...store.log, head, read: () => read } })
  // the second read comes after what follows from the first
  await eventually(() => expect(read.mock.calls.length).toBeGreaterThan(1))
  await relay.stop()
  expect(await saved()).toMatchObject({ position: 7 })
})
