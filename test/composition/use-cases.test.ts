import * as O from 'fp-ts/lib/Option.js'
import { expect, it, vi } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../src/adapters/node/system.js'
import { useCasesOf } from '../../src/composition/use-cases.js'
import { succeed } from '../../src/testing/samples.js'
import { useFakeTimers } from '../support/runner/fake-timers.js'

const SETTINGS = { logId: 'log', source: 'https://pets.test/v1', typePrefix: 'org.example' }
const EMPTY = { bytes: new Uint8Array(), events: 0, upTo: 0 }

it('an added pet wakes the feed and the relay, and neither waits for a poll', async () => {
  useFakeTimers()
  const store = makeMemoryStore()
  let relayed = 0
  const reader = { added: () => (relayed += 1) }
  const { addPet, events } = useCasesOf({ ...store, clock: systemClock, crypto: nodeCrypto }, reader)
  if (events === undefined) throw new Error('no feed')
  const looked = events.tail.next(0, SETTINGS, EMPTY)
  await vi.advanceTimersByTimeAsync(500)
  await looked
  let received = 0
  void events.tail.next(0, SETTINGS, EMPTY).then(async () => {
    received += (await events.tail.next(0, SETTINGS, EMPTY)).events
  })
  await succeed(addPet({ newPet: { name: 'Rex', categoryId: 1n }, idempotencyKey: O.none }))
  await vi.advanceTimersByTimeAsync(40)
  expect([received, relayed]).toStrictEqual([1, 1])
})
