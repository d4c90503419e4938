import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { COUNTER_KEY, RELAY_KEY } from '../../../src/adapters/lmdb/tables/meta-table.js'
import { encodePetRecord } from '../../../src/adapters/lmdb/tables/pet-table.js'
import type { Tables } from '../../../src/adapters/lmdb/tables/tables.js'
import { LOG_ID_KEY } from '../../../src/adapters/lmdb/tables/tables.js'
import { eventNumber } from '../../../src/domain/events/domain-event.js'
import { unusedAfter } from '../../../src/domain/events/relay-record.js'
import type { PetRecord } from '../../../src/domain/pets/decide-add.js'
import { listPets } from '../../../src/domain/pets/find-pets.js'
import type { PetQuery } from '../../../src/domain/pets/pet-query.js'
import type { Damage } from '../../../src/ports/notice.js'
import type { Store } from '../../../src/ports/store.js'
import {
  added,
  anyApiKey,
  anyPet,
  everything,
  fail,
  held,
  idsOf,
  numbered,
  record,
  succeed,
} from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openEnvironmentIn, openStoreIn, writeTables } from './open-store.js'

const recordUnder = (key: string, id: number, time = 1_000): PetRecord =>
  record(numbered(id, { ...anyPet, status: 'sold' }), held('a', key, time + 1_000), time)

describe('a damaged record', () => {
  let folder: string
  let store: Store
  let reported: Damage[]

  beforeEach(async () => {
    folder = await temporaryPath()
    reported = []
    store = await openStoreIn(folder, {
      reportDamage: (damage) => {
        reported.push(damage)
      },
    })
    for (const id of [1, 2, 3]) await succeed(store.pets.add(recordUnder(`key ${id}`, id)))
  })

  const write = (job: (tables: Tables) => void): Promise<void> => writeTables(folder, job)
  const damagePet = (id: number): Promise<void> => write(({ pets }) => pets.putSync(id, Buffer.from('{"id":')))
  const failToFind = async (key: string, reason: string): Promise<void> => {
    const failure = await fail(store.pets.findByIdempotencyKey({ lineage: 'a', key }, 1_000))
    expect(failure).toStrictEqual({ _tag: 'Unavailable', cause: new Error(reason) })
  }

  it('of a pet is reported by id, never served, and hides no other [damage]', async () => {
    await damagePet(2)
    expect(await succeed(store.pets.findById(2n))).toStrictEqual(O.none)
    expect(reported).toStrictEqual([{ record: 'pet', id: '2', reason: 'is not JSON' }])
    expect(await idsOf(store.pets, {})).toStrictEqual([3, 1])
    expect(await idsOf(store.pets, { limit: 2 })).toStrictEqual([3, 1])
    expect(await idsOf(store.pets, { status: O.some('sold') })).toStrictEqual([3, 1])
    expect(reported).toHaveLength(4)
  })

  it('of a pet is not counted once it has been met', async () => {
    await damagePet(2)
    const totalOf = async (query: Partial<PetQuery>) =>
      O.toUndefined((await succeed(listPets(store)({ query: { ...everything, ...query }, counted: true }))).total)
    expect(await totalOf({ status: O.some('sold') })).toBe(2)
    expect(await totalOf({})).toBe(2)
    expect(await totalOf({ status: O.some('available') })).toBe(0)
    expect(await totalOf({ ids: O.some([1n, 2n]) })).toBe(1)
    const repaired = encodePetRecord(recordUnder('key 2', 2).event)
    await write(({ pets }) => pets.putSync(2, repaired))
    expect(await totalOf({})).toBe(3)
  })

  it('of a pet is not replaced by a new one', async () => {
    await damagePet(3)
    expect(await succeed(store.ids.next)).toBe(4n)
    expect(await succeed(store.pets.add(record(numbered(3))))).toStrictEqual(added(4))
  })

  it('of a pet is listed in the log, counts towards its limit, and hides no event', async () => {
    await damagePet(1)
    await damagePet(3)
    const read = async (after: number, limit: number) => {
      const { events, ...rest } = await succeed(store.log.read({ after, limit }))
      return { numbers: events.map(eventNumber), ...rest }
    }
    expect(await read(0, 10)).toStrictEqual({ numbers: [2], damaged: [1, 3], upTo: 3 })
    expect(await read(0, 1)).toStrictEqual({ numbers: [], damaged: [1], upTo: 1 })
    expect(await read(1, 2)).toStrictEqual({ numbers: [2], damaged: [3], upTo: 3 })
    expect(reported.slice(0, 2)).toMatchObject([
      { record: 'pet', id: '1' },
      { record: 'pet', id: '3' },
    ])
  })

  it('of a pet refuses only the retry under its idempotency key', async () => {
    await damagePet(2)
    await failToFind('key 2', 'pet 2, which holds the idempotency key, cannot be read')
    const both = await Promise.all([store.pets.add(recordUnder('key 2', 4))(), store.pets.add(record(numbered(5)))()])
    expect(both).toMatchObject([{ _tag: 'Left' }, E.right({ _tag: 'Added' })])
    expect(await idsOf(store.pets, {})).toStrictEqual([5, 3, 1])
  })

  it('of an idempotency key refuses only its retry', async () => {
    await write(({ idempotencyKeys }) => idempotencyKeys.putSync(['a', 'key 2'], Buffer.from('{}')))
    await failToFind(
      'key 2',
      'the record of an idempotency key is damaged: /petId: is required; /expiresAt: is required',
    )
    const both = await Promise.all([
      store.pets.add(recordUnder('key 2', 4))(),
      store.pets.add(recordUnder('key 5', 5))(),
    ])
    expect(both).toMatchObject([{ _tag: 'Left' }, E.right({ _tag: 'Added' })])
  })

  it('of the relay stops the relay until it is repaired, and is not replaced', async () => {
    await write(({ meta }) => meta.putSync(RELAY_KEY, Buffer.from('{"pending":[]}')))
    const reason = 'the record of the relay is damaged: /position: is required; /retry: is required'
    const unavailable = { _tag: 'Unavailable', cause: { message: expect.stringContaining(reason) } }
    const first = { ...unusedAfter(0), version: 1 }
    expect(await fail(store.relay.load)).toMatchObject(unavailable)
    expect(await fail(store.relay.save(first))).toMatchObject(unavailable)
    expect(await succeed(store.pets.add(record(numbered(4))))).toStrictEqual(added(4))
    await write(({ meta }) => meta.removeSync(RELAY_KEY))
    expect(await succeed(store.relay.save(first))).toBe(true)
  })

  it('of the id of the log refuses its head, because a position would mean nothing', async () => {
    const { logId } = await succeed(store.log.head)
    await write(({ meta }) => meta.removeSync(LOG_ID_KEY))
    expect(await fail(store.log.head)).toMatchObject({ cause: new Error('the id of the log is missing') })
    const reopened = await openStoreIn(folder)
    expect((await succeed(reopened.log.head)).logId).not.toBe(logId)
  })

  it('of the counter stops creates until it is repaired, but not reads', async () => {
    await write(({ meta }) => meta.putSync(COUNTER_KEY, Buffer.from('12x')))
    const unavailable = { _tag: 'Unavailable', cause: new Error('the counter of ids is not a number: "12x"') }
    expect(await Promise.all([fail(store.ids.next), fail(store.ids.next)])).toMatchObject([unavailable, unavailable])
    expect(await idsOf(store.pets, {})).toStrictEqual([3, 2, 1])
    await write(({ meta }) => meta.removeSync(COUNTER_KEY))
    expect(await succeed(store.ids.next)).toBe(4n)
  })

  it('of an API key is reported by id, never served, and hides no other', async () => {
    await succeed(store.apiKeys.add(anyApiKey))
    await write(({ apiKeys }) => apiKeys.putSync('bbbbbbbbbbb', Buffer.from('{"id":"bbbbbbbbbbb","scopes":["root"]}')))
    await write(({ apiKeys }) => apiKeys.putSync('ccccccccccc', apiKeys.get('aaaaaaaaaaa') ?? Buffer.alloc(0)))
    expect(await succeed(store.apiKeys.find('bbbbbbbbbbb'))).toStrictEqual(O.none)
    expect(await succeed(store.apiKeys.list)).toStrictEqual([anyApiKey])
    expect(await succeed(store.apiKeys.change('ccccccccccc', { revokedAt: O.some(1) }))).toStrictEqual(O.none)
    expect(reported.map(({ record: kind, id }) => `${kind} ${id}`)).toStrictEqual([
      'API key bbbbbbbbbbb',
      'API key bbbbbbbbbbb',
      'API key ccccccccccc',
      'API key ccccccccccc',
    ])
  })
})

describe('a lost counter of ids', () => {
  it('resumes above the highest stored id [ids]', async () => {
    const folder = await temporaryPath()
    const store = await openStoreIn(folder)
    for (const id of [1, 2, 3]) await succeed(store.pets.add(record(numbered(id))))
    await writeTables(folder, ({ meta }) => meta.removeSync(COUNTER_KEY))
    expect(await succeed(store.ids.next)).toBe(4n)
  })
})

describe('a counter of ids that is behind', () => {
  it('resumes above the highest stored id [ids]', async () => {
    const folder = await temporaryPath()
    const store = await openStoreIn(folder)
    for (const id of [1, 2, 3]) await succeed(store.pets.add(record(numbered(id))))
    await writeTables(folder, ({ meta }) => meta.putSync(COUNTER_KEY, Buffer.from('1')))
    expect(await succeed(store.ids.next)).toBe(4n)
  })
})

describe('expired idempotency keys', () => {
  it('are removed after a day, when new ones are added, but their pets stay', async () => {
    const folder = await temporaryPath()
    const environment = await openEnvironmentIn(folder)
    const store = await openStoreIn(folder)
    for (let id = 1; id <= 40; id += 1) await succeed(store.pets.add(recordUnder(`key ${id}`, id)))
    for (let id = 41; id <= 60; id += 1) await succeed(store.pets.add(recordUnder(`key ${id}`, id, 86_405_000)))
    const keys = await succeed(environment.read(({ idempotencyKeys }) => [...idempotencyKeys.getKeys()].length))
    const expiries = await succeed(environment.read((tables) => [...tables.expiries.getKeys()].length))
    expect([keys, expiries]).toStrictEqual([20, 20])
    expect(await succeed(store.pets.count(everything))).toBe(60)
  })
})
