// Fills a store with records of every kind, as clients, operators and a relay would.
import * as O from 'fp-ts/lib/Option.js'
import { MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/scalar.js'
import { eventNumber } from '../../../src/domain/events/domain-event.js'
import type { NewPet } from '../../../src/domain/pets/pet.js'
import type { Store } from '../../../src/ports/store.js'
import { anyApiKey, eventOf, numbered, recordOf, succeed } from '../../../src/testing/samples.js'

const NEW_PETS: readonly NewPet[] = [
  { name: ' \0\u{1f436}e\u0301"\\\u2028$.{} ', categoryId: MAX_INT64, status: 'sold' },
  { name: '\u{1f436}'.repeat(256), categoryId: MIN_INT64 },
  { name: '__proto__', categoryId: 0n, status: 'available' },
  { name: 'Rex', categoryId: -1n, status: 'pending' },
]

/** Every second pet holds an idempotency key for a day. Of four events, one is sent, two wait and one is parked. */
export const fillStore = async ({ pets, ids, apiKeys, relay }: Store, count: number): Promise<void> => {
  const now = Date.now()
  await succeed(apiKeys.add(anyApiKey))
  await succeed(apiKeys.add({ ...anyApiKey, id: 'bbbbbbbbbbb', revokedAt: O.some(5), name: O.some('old') }))
  const events = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const id = await succeed(ids.next)
      const pet = numbered(id, NEW_PETS[at % NEW_PETS.length])
      const event = eventOf(pet, { time: now + at })
      const key = { lineage: anyApiKey.id, key: `key ${id}`, expiresAt: now + 86_400_000 }
      await succeed(pets.add(recordOf(event, at % 2 === 0 ? O.some(key) : O.none)))
      return event
    }),
  )
  const every = (turn: number) => events.filter((_, at) => at % 4 === turn).map(eventNumber)
  const record = {
    position: Math.max(...events.map(eventNumber)),
    retry: [...every(1), ...every(3)].sort((one, other) => one - other),
    parked: every(2).map((number) => ({ number, reason: 'too "large"' })),
    hasSent: true,
    leaseMs: 10_000,
    version: 1,
  }
  await succeed(relay.save(record))
}
