// The contents of the stores in test/fixtures/stored, and the suite that reads them (test/fixtures/stored/README.md).
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { nodeCrypto } from '../../../src/adapters/node/crypto.js'
import { type ApiKey, SCOPES } from '../../../src/domain/api-keys/api-key.js'
import { authenticate } from '../../../src/domain/api-keys/authenticate.js'
import { MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/int64.js'
import { addPet } from '../../../src/domain/pets/add-pet.js'
import type { NewPet, Pet, PetStatus } from '../../../src/domain/pets/pet.js'
import { ALL_PETS, type PetQuery } from '../../../src/domain/pets/pet-query.js'
import type { Store } from '../../../src/ports/store.js'
import { anyApiKey } from '../../../src/testing/contracts/api-key-samples.js'
import { fail, succeed } from '../../../src/testing/outcome.js'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 1)
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

/** Test keys, made for these fixtures only. */
const texts = {
  live: 'ast_live_C0ZN1DOw8NA_0uxXSlYrrvNzk7Oncnh21MZd3rT6d1pvgDtKzAb8EYt15jPBu',
  unnamed: 'ast_live_7U0SzpBH53b_KrfupgDo3dSAFaBBeGbvyDlBPJqcT5yzEiq4FF5qI3k4eHD2W',
  expiring: 'ast_live_3vUvovy05al_jptZxMaoWRbE4zmd0LW0nuNAg480vqUKEs8kNGvLTwF1J0oRN',
  expired: 'ast_live_3Wl92R4VV0h_uFY5yQDSyTtrA9BIqgW69XWF9yccGcYYYYgIV7w1AgX2yhL9L',
  revoked: 'ast_live_7GGa7I0ulVf_t0LU1geq6w77ku43pckS7Bb6UjwPVrF4IBDkazvnKgC1Yz46Z',
  rotated: 'ast_live_JrdaeVypyqs_pazWTJoPiWnlrgISXflsZyHz5bFLG18SamqWYbhR2eO0wFb5X',
  successor: 'ast_live_HdDLnfosFIK_pL8T7Pj8blvo1PpmaPxxr2wh4TYCoa2vF8Ka5GNRiOl2lZITu',
} as const
const idIn = (text: string): string => text.slice(9, 20)

const apiKey = (text: string, createdAt: number, members: Partial<ApiKey> = {}): ApiKey => ({
  ...anyApiKey,
  id: idIn(text),
  scopes: SCOPES,
  hash: nodeCrypto.sha256(text),
  createdAt,
  // the fixtures are older than lineages: each key starts its own
  lineage: idIn(text),
  ...members,
})

/** Oldest first. */
const apiKeys: readonly ApiKey[] = [
  apiKey(texts.unnamed, START, { scopes: ['orders:read'] }),
  apiKey(texts.live, START, { name: O.some('live "caf\u00e9" \u{1f436}'), lastUsedAt: O.some(START + 1_001) }),
  apiKey(texts.expired, START + 1, { name: O.some('expired'), expiresAt: O.some(START + 1 + HOUR_MS) }),
  apiKey(texts.expiring, START + 1, {
    name: O.some('expiring'),
    scopes: ['pets:read'],
    expiresAt: O.some(START + 1 + 720 * HOUR_MS),
  }),
  apiKey(texts.revoked, START + 1, { name: O.some('revoked'), revokedAt: O.some(START + 1_001) }),
  apiKey(texts.rotated, START + 1, {
    name: O.some('rotated'),
    expiresAt: O.some(START + 84 * HOUR_MS),
    successor: O.some(idIn(texts.successor)),
  }),
  apiKey(texts.successor, START + 60 * HOUR_MS, {
    name: O.some('rotated'),
    expiresAt: O.some(START + 2_220 * HOUR_MS),
  }),
]

/** `open` opens a fresh copy of the fixture and closes it when the test ends; a damaged record fails the test. */
export const storedFixtureSuite = (name: string, open: () => Promise<Store>): void => {
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

    it('claims events that are due, and leased or failed events once they are due', async () => {
      const { outbox } = await openAt(NOW)
      const claim = async (now: number) => {
        const claimed = await succeed(
          outbox.claim({ now, leaseUntil: now + 10_000, maxDueAt: now + 10_000, limit: 100 }),
        )
        return claimed.map(({ event, failures }) => [event.pet, failures])
      }
      const waiting = pets.filter(({ id }) => id >= 7n).map((pet) => [pet, 0])
      expect(await claim(NOW)).toStrictEqual(waiting)
      expect(await claim(NOW + 5_000)).toStrictEqual([
        [pets[3], 1],
        [pets[5], 0],
      ])
    })

    it('returns the backlog and the parked events', async () => {
      const { outbox } = await openAt(NOW)
      expect(await succeed(outbox.backlog)).toMatchObject({ size: 6, oldest: O.some(START + 60 * HOUR_MS), parked: 1 })
      expect(await succeed(outbox.parked)).toMatchObject([
        {
          event: { eventId: 'a07d4f46-be2d-47e5-83f4-36669e54d1dc', time: START + 60 * HOUR_MS, pet: pets[4] },
          reason: 'too "large" \u{1f436}',
        },
      ])
    })

    it('requeues events, including those of pets added before any relay', async () => {
      const { outbox } = await openAt(NOW)
      expect(await succeed(outbox.requeue({ _tag: 'CreatedBetween', from: START, to: START + 2_000 }))).toBe(2)
      const claimed = await succeed(
        outbox.claim({ now: NOW, leaseUntil: NOW + 10_000, maxDueAt: NOW + 10_000, limit: 2 }),
      )
      expect(claimed.map(({ event }) => [event.eventId, event.time, event.pet])).toStrictEqual([
        ['6964cf33-b190-46eb-815a-c72f46d86e1a', START + 1_001, pets[0]],
        ['b9e48aaf-b527-498c-8d13-95d328010d0d', START + 1_001, pets[1]],
      ])
    })
  })
}
