import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import type { Counted, ImportBatch, PetArchived } from '../../../src/domain/archive/archive-record.js'
import { decideImport, type ImportTarget } from '../../../src/domain/archive/decide-import.js'
import type { PetCreated } from '../../../src/domain/events/domain-event.js'
import { heldKey, keyRecord, NOW, petRecord } from '../../../src/testing/contracts/archive-samples.js'
import { anyApiKey } from '../../../src/testing/samples.js'

const ABSENT = E.right(O.none)
const DAMAGED = E.left('is not JSON')
const has = <A>(value: A) => E.right(O.some(value))

const storeWith = (pets: readonly PetArchived[], more: Partial<ImportTarget> = {}): ImportTarget => ({
  lastPet: pets.at(-1)?.event.pet.id ?? 0n,
  pet: (id) => E.right(O.fromNullable(pets.find(({ event }) => event.pet.id === id)?.event)),
  apiKey: () => ABSENT,
  holder: () => ABSENT,
  ...more,
})

const decide = (store: ImportTarget, records: readonly Counted[], batch: Partial<ImportBatch> = {}) =>
  decideImport({ records, after: 0n, lastId: O.none, now: NOW, ...batch }, store)

const pets = (...ids: readonly number[]) => ids.map((id) => petRecord(id))
const differs = (at: number, reason: string) => E.left({ _tag: 'RecordDiffers', at, reason })
const own = (id: number) => `the store has a pet of its own, with the id ${id}: an import fills a store without pets`
const another: PetArchived = { ...petRecord(1), event: { ...petRecord(1).event, eventId: 'another' } }

describe('what an import adds', () => {
  it('is all in an empty store, in order', () => {
    const records = [keyRecord(), petRecord(1), heldKey(1), petRecord(7)]
    expect(decide(storeWith([]), records, { lastId: O.some(9n) })).toStrictEqual(E.right(records))
  })

  it.each<readonly [stored: readonly number[], after: number, exported: readonly number[], added: readonly number[]]>([
    [[], 0, [], []],
    [[1, 2], 0, [1, 2], []],
    [[1, 2], 0, [1, 2, 5], [5]],
    [[2], 2, [5, 6], [5, 6]],
  ])('is what a store with the pets %j lacks after %i: of %j, %j', (stored, after, exported, added) => {
    const store = storeWith(pets(...stored))
    const batch = { after: BigInt(after), lastId: O.some(9n) }
    expect(decide(store, pets(...exported), batch)).toStrictEqual(E.right(pets(...added)))
  })

  it.each<readonly [stored: readonly number[], after: number, exported: readonly number[], at: number, own: number]>([
    [[1], 0, [2], 0, 1],
    [[1, 2], 0, [1, 3], 1, 2],
    [[1, 9], 1, [3], 0, 9],
    [[1], 0, [], 0, 1],
  ])('is nothing if a store has the pets %j after %i: of %j, index %i, pet %i', (stored, after, exported, at, pet) => {
    const store = storeWith(pets(...stored))
    const batch = { after: BigInt(after), lastId: O.some(9n) }
    expect(decide(store, pets(...exported), batch)).toStrictEqual(differs(at, own(pet)))
  })

  it('leaves pets above the batch to later ones, until the export ends', () => {
    expect(decide(storeWith(pets(1, 2)), pets(1))).toStrictEqual(E.right([]))
  })

  it('decides each batch anew: nothing of one in which a record differs', () => {
    const records = [keyRecord(), petRecord(1), petRecord(2)]
    expect(decide(storeWith([another]), records)).toStrictEqual(differs(1, 'the store has another pet with the id 1'))
  })

  it.each<readonly [string, Partial<PetCreated>]>([
    ['its id', { eventId: 'other' }],
    ['its time', { time: 7 }],
    ['the name of its pet', { pet: { ...petRecord(1).event.pet, name: 'other' } }],
    ['the status of its pet', { pet: { ...petRecord(1).event.pet, status: 'sold' } }],
  ])('is nothing if an event differs in %s', (_, changes) => {
    const stored: PetArchived = { _tag: 'Pet', event: { ...petRecord(1).event, ...changes } }
    expect(decide(storeWith([stored]), pets(1))).toStrictEqual(differs(0, 'the store has another pet with the id 1'))
  })

  it('needs ascending pets', () => {
    expect(decide(storeWith([]), pets(2, 1))).toStrictEqual(differs(1, 'the pet 1 comes after the pet 2'))
    expect(decide(storeWith([]), pets(2), { after: 2n })).toStrictEqual(differs(0, 'the pet 2 comes after the pet 2'))
  })

  it('is not decided beside a damaged pet', () => {
    const store = storeWith([], { pet: () => DAMAGED })
    expect(decide(store, pets(1))).toStrictEqual(differs(0, 'the stored pet 1 is damaged: is not JSON'))
  })
})

describe('the decision about an API key', () => {
  const beside = (stored: ReturnType<ImportTarget['apiKey']>, changes: Partial<ApiKey> = {}) =>
    decide(storeWith([], { apiKey: () => stored }), [{ _tag: 'ApiKey', key: { ...anyApiKey, ...changes } }])

  it('passes over an equal one, whenever it was used', () => {
    expect(beside(has(anyApiKey))).toStrictEqual(E.right([]))
    expect(beside(has(anyApiKey), { lastUsedAt: O.some(1) })).toStrictEqual(E.right([]))
  })

  it.each<Partial<ApiKey>>([
    { name: O.some('x') },
    { scopes: ['pets:write'] },
    { hash: '1'.repeat(64) },
    { expiresAt: O.some(1) },
    { revokedAt: O.some(1) },
    { successor: O.some('b') },
  ])('names the member that differs: %j', (changes) => {
    const [member] = Object.keys(changes)
    const reason = `the store has another API key with the id aaaaaaaaaaa: its ${member} differs`
    expect(beside(has(anyApiKey), changes)).toStrictEqual(differs(0, reason))
  })

  it('stops beside a damaged one', () => {
    expect(beside(DAMAGED)).toStrictEqual(differs(0, 'the stored API key aaaaaaaaaaa is damaged: is not JSON'))
  })
})

describe('the decision about an idempotency key', () => {
  const key = heldKey(1, 'k')
  const heldBy = (petId: number | bigint, expiresAt = NOW + 1) => has({ petId, expiresAt })
  const beside = (more: Partial<ImportTarget>, record = key) => decide(storeWith(pets(1), more), [record])

  it.each<readonly [string, Partial<ImportTarget>, readonly Counted[]]>([
    ['adds it if nobody holds it', {}, [key]],
    ['adds it if its holder has expired', { holder: () => heldBy(2, NOW) }, [key]],
    ['passes over it if its pet holds it', { holder: () => heldBy(1n) }, []],
  ])('%s', (_, more, added) => {
    expect(beside(more)).toStrictEqual(E.right(added))
  })

  it('leaves out one that has expired, whatever the store has', () => {
    const nothing = { pet: () => DAMAGED, holder: () => DAMAGED }
    expect(beside(nothing, heldKey(1, 'k', NOW))).toStrictEqual(E.right([]))
  })

  it('finds its pet in the batch, and in no later one', () => {
    expect(decide(storeWith([]), [petRecord(1), key])).toStrictEqual(E.right([petRecord(1), key]))
    const reason = 'the store lacks the pet 1 of the idempotency key'
    expect(decide(storeWith([]), [key, petRecord(1)])).toStrictEqual(differs(0, reason))
  })

  it.each<readonly [string, Partial<ImportTarget>, string]>([
    ['another pet holds it', { holder: () => heldBy(2) }, 'the pet 2 holds the same idempotency key'],
    ['its holder is damaged', { holder: () => DAMAGED }, 'the holder of the idempotency key is damaged: is not JSON'],
    ['its pet is damaged', { pet: () => DAMAGED }, 'the stored pet 1 is damaged: is not JSON'],
    ['its pet is another', { pet: () => has(another.event) }, 'the store lacks the pet 1 of the idempotency key'],
  ])('stops if %s', (_, more, reason) => {
    expect(beside(more)).toStrictEqual(differs(0, reason))
  })
})
