import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { idsOf } from '../../../src/testing/contracts/outbox-samples.js'
import { eventOf, numbered, range, recordOf } from '../../../src/testing/contracts/pet-samples.js'
import { succeed } from '../../../src/testing/outcome.js'

const waiting = async (ids: readonly number[]) => {
  const { pets, outbox } = makeMemoryStore({ isRelayed: true })
  for (const id of ids) await succeed(pets.add(recordOf(eventOf(numbered(id)))))
  return outbox
}

describe('makeMemoryOutbox', () => {
  it('claims from a backlog in the order of ids, repeatedly', async () => {
    const outbox = await waiting(range(1, 1_000))
    for (let turn = 0; turn < 100; turn += 1) {
      const claimed = await succeed(outbox.claim({ now: 0, leaseUntil: 1, maxDueAt: 1, limit: 10 }))
      expect(idsOf(claimed)).toStrictEqual(range(1 + turn * 10, 10 + turn * 10))
      await succeed(outbox.settle(claimed.map(({ event }) => ({ _tag: 'Sent', event }))))
    }
    expect(await succeed(outbox.claim({ now: 0, leaseUntil: 1, maxDueAt: 1, limit: 10 }))).toStrictEqual([])
  })

  it('returns requeued events in order with the waiting ones', async () => {
    const outbox = await waiting([1, 2, 3, 4])
    await succeed(outbox.settle([1, 3].map((id) => ({ _tag: 'Sent', event: eventOf(numbered(id)) }))))
    await succeed(outbox.requeue({ _tag: 'CreatedBetween', from: 0, to: 1 }))
    expect(idsOf(await succeed(outbox.claim({ now: 0, leaseUntil: 1, maxDueAt: 1, limit: 10 })))).toStrictEqual([
      1, 2, 3, 4,
    ])
  })
})
