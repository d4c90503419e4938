// The contents of the stores in test/fixtures/stored, and the suite that reads them (test/fixtures/stored/README.md).
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { nodeCrypto } from '../../../src/adapters/node/system.js'
import { authenticate } from '../../../src/domain/api-keys/authenticate.js'
import { MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/int64.js'
import { listParked, readBacklog, replayEvents } from '../../../src/domain/events/backlog.js'
import { LAST_NUMBER } from '../../../src/domain/events/number-ranges.js'
import { addPet } from '../../../src/domain/pets/add-pet.js'
import type { NewPet, Pet, PetStatus } from '../../../src/domain/pets/pet.js'
import { ALL_PETS, type PetQuery } from '../../../src/domain/pets/pet-query.js'
import type { Store } from '../../../src/ports/store.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { pendingIn } from '../domain/log-reads.js'
import { apiKeys, HOUR_MS, idIn, START, texts } from './stored-keys.js'

/** The instant at which the fixtures are read: some keys have expired by then. */
const NOW = START + 73 * HOUR_MS

const pets: readonly Pet[] = [
  { id: 1n, name: 'Added before any relay', categoryId: 1n },
  { id: 2n, name: 'First turn', categoryId: 1n, status: 'sold' },
  { id: 3n, name: 'Expired', categoryId: 7n, status: 'pending' },
  { id: 4n, name: 'Second turn', categoryId: 2n, status: 'available' },
  { id: 5n, name: 'Kept', categoryId: MIN_INT64, status: 'available' },
  { id: 6n, name: 'Before the rotation', categoryId: MAX_INT64, status: 'sold' },
  { id: 7n, name: 'After the rotation', categoryId: 0n },
  { id: 8n, name: ' \0\u{1f436}e\u0301"\\\u2028$.{} ', categoryId: -1n, status: 'pending' },
  { id: 9n, name: '\u{1f436}'.repeat(256), categoryId: 2n ** 53n + 1n, status: 'sold' },
  { id: 10n, name: '__proto__', categoryId: -(2n ** 53n) - 1n },
]
/** The last id that was drawn; no pet got it. */
const LAST_ID = 11n

const NUMBERS_THAT_WAITED = [
  [4, 4],
  [6, LAST_NUMBER],
]

/** `open` opens a fresh copy of the fixture and closes it when the test ends; a damaged record fails the test. */
export const storedFixtureSuite = (name: string, open: () => Promise<Store>, hasSent = true): void => {
  describe(`data of an earlier version: ${name}`, () => {
    const openAt = async (now: number) => ({
      ...(await open()),
      clock: { now: () => now, monotonicMs: () => 0 },
      crypto: nodeCrypto,
    })

    it('returns every pet exactly as stored', async () => {
      const store = await openAt(NOW)
      for (const pet of pets) expect(await succeed(store.pets.findById(pet.id))).toStrictEqual(O.some(pet))
      expect(await succeed(store.pets.findById(LAST_ID))).toStrictEqual(O.none)
    })

    it.each<PetStatus | undefined>(['available', 'pending', 'sold', undefined])(
      'lists and counts the pets, status %s',
      async (status) => {
        const store = await openAt(NOW)
        const query: PetQuery = { ...ALL_PETS, limit: 100, status: O.fromNullable(status), before: O.none }
        const expected = pets.filter((pet) => status === undefined || pet.status === status).reverse()
        expect(await succeed(store.pets.findPage(query))).toStrictEqual({ pets: expected, next: O.none })
        expect(await succeed(store.pets.count(query))).toBe(expected.length)
      },
    )

    it('returns every API key exactly as stored', async () => {
      expect(await succeed((await openAt(NOW)).apiKeys.list)).toStrictEqual(apiKeys)
    })

    it.each(['live', 'unnamed', 'expiring', 'rotated', 'successor'] as const)(
      'authenticates the %s key',
      async (key) => {
        expect(await succeed(authenticate(await openAt(NOW))(texts[key]))).toMatchObject({ keyId: idIn(texts[key]) })
      },
    )

    it.each(['expired', 'revoked'] as const)('refuses the %s key', async (key) => {
      expect(await fail(authenticate(await openAt(NOW))(texts[key]))).toStrictEqual({
        _tag: 'InvalidApiKey',
        reason: key,
        keyId: O.some(idIn(texts[key])),
      })
    })

    it('continues above all drawn ids', async () => {
      expect(await succeed((await openAt(NOW)).ids.next)).toBeGreaterThan(LAST_ID)
    })

    it.each<readonly [string, keyof typeof texts, string, bigint]>([
      ['kept', 'live', '!"live"~', 5n],
      ['taken over after its expiry', 'live', 'taken over', 4n],
      ['of a rotated key', 'rotated', 'before', 6n],
      ['of its successor', 'successor', 'after', 7n],
    ])('replays an idempotency key: %s', async (_, caller, key, id) => {
      const store = await openAt(NOW)
      const idempotencyKey = O.some({ lineage: idIn(texts[caller]), key })
      const pet = pets.find((one) => one.id === id)
      const newPet: NewPet = { name: '', categoryId: 0n, ...pet }
      expect(await succeed(addPet(store)({ newPet, idempotencyKey }))).toStrictEqual({ pet, replayed: true })
      expect(await addPet(store)({ newPet: { ...newPet, name: 'Other' }, idempotencyKey })()).toStrictEqual(
        E.left({ _tag: 'IdempotencyKeyReused' }),
      )
    })

    it('frees an expired idempotency key', async () => {
      const store = await openAt(NOW)
      const idempotencyKey = O.some({ lineage: idIn(texts.live), key: 'expired' })
      const added = await succeed(
        addPet(store)({ newPet: { name: 'Expired', categoryId: 7n, status: 'pending' }, idempotencyKey }),
      )
      expect(added.replayed).toBe(false)
      expect(added.pet.id).toBeGreaterThan(LAST_ID)
    })

    it('has the events that waited still pending, and all later ones', async () => {
      const store = await openAt(NOW)
      expect((await pendingIn(store)).map(({ pet }) => pet)).toStrictEqual(
        pets.filter(({ id }) => id === 4n || id >= 6n),
      )
      const record = await succeed(store.relay.load)
      expect(O.toUndefined(record)).toMatchObject({
        pending: NUMBERS_THAT_WAITED,
        hasSent,
      })
    })

    it('returns the backlog and the parked events', async () => {
      const store = await openAt(NOW)
      const backlog = await succeed(readBacklog(store))
      expect(backlog).toMatchObject({ oldest: O.some(START + 60 * HOUR_MS), parked: 1 })
      // the drawn id that no pet got may count
      expect([6, 7]).toContain(backlog.size)
      expect(await succeed(listParked(store))).toMatchObject([
        {
          number: 5,
          event: O.some({ eventId: 'a07d4f46-be2d-47e5-83f4-36669e54d1dc', time: START + 60 * HOUR_MS, pet: pets[4] }),
          reason: 'too "large" \u{1f436}',
        },
      ])
    })

    it('replays events, including those of pets added before any relay', async () => {
      const store = await openAt(NOW)
      expect(await succeed(replayEvents(store)({ from: START, to: O.some(START + 2_000) }))).toBe(2)
      const [first, second] = await pendingIn(store)
      expect([first, second].map((event) => [event?.eventId, event?.time, event?.pet])).toStrictEqual([
        ['6964cf33-b190-46eb-815a-c72f46d86e1a', START + 1_001, pets[0]],
        ['b9e48aaf-b527-498c-8d13-95d328010d0d', START + 1_001, pets[1]],
      ])
    })

    it('upgrades once, and keeps what the new relay has saved', async () => {
      const { relay } = await openAt(NOW)
      const record = O.toUndefined(await succeed(relay.load))
      const saved = { pending: [], parked: [], hasSent: true, leaseMs: 1, version: (record?.version ?? 0) + 1 }
      expect(await succeed(relay.save(saved))).toBe(true)
      expect(await succeed(relay.load)).toStrictEqual(O.some(saved))
    })
  })
}
