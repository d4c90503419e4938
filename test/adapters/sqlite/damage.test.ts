import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { unusedAfter } from '../../../src/domain/events/relay-record.js'
import type { PetRecord } from '../../../src/domain/pets/decide-add.js'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import type { Damage } from '../../../src/ports/notice.js'
import type { ArchivedStore } from '../../../src/ports/store.js'
import { readAll } from '../../../src/testing/contracts/archive-samples.js'
import { added, anyApiKey, anyPet, fail, held, idsOf, numbered, record, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { change, DAMAGED_NAME, damagePets, openStoreIn } from './open-store.js'

const recordUnder = (key: string, id: number, time = 1_000): PetRecord =>
  record(numbered(id, { ...anyPet, status: 'sold' }), held('a', key, time + 1_000), time)

describe('a damaged record', () => {
  let folder: string
  let store: ArchivedStore
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

  const write = (sql: string): void => change(folder, ({ exec }) => exec(sql))

  it('of a pet is reported by id, never served, and hides no other [damage]', async () => {
    damagePets(folder, 2)
    expect(await succeed(store.pets.findById(2n))).toStrictEqual(O.none)
    expect(await idsOf(store.pets, {})).toStrictEqual([3, 1])
    expect((await succeed(store.log.read({ after: 0, limit: 10 }))).damaged).toStrictEqual([2])
    expect(reported).toStrictEqual([1, 2, 3].map(() => ({ record: 'pet', id: '2', reason: DAMAGED_NAME })))
  })

  it('of a pet leaves its idempotency key out of an export: no import would find the pet', async () => {
    damagePets(folder, 2)
    const { records } = await readAll(store.archive)
    const ids = records.filter(({ idempotencyKey }) => O.isSome(idempotencyKey)).map(({ event }) => event.pet.id)
    expect(ids).toStrictEqual([1n, 3n])
  })

  it('of a pet is not replaced by a new one', async () => {
    damagePets(folder, 3)
    expect(await succeed(store.ids.next)).toBe(4n)
    expect(await succeed(store.pets.add(record(numbered(3))))).toStrictEqual(added(4))
  })

  it('of the relay stops the relay until it is repaired, and is not replaced', async () => {
    write(`UPDATE store SET relay = '{"pending":[]}'`)
    const reason = 'the record of the relay is damaged: /position: is required; /retry: is required'
    const unavailable = { _tag: 'Unavailable', cause: { message: expect.stringContaining(reason) } }
    const first = { ...unusedAfter(0), version: 1 }
    expect(await fail(store.relay.load)).toMatchObject(unavailable)
    expect(reported).toMatchObject([{ record: 'relay record', id: 'events' }])
    expect(await fail(store.relay.save(first))).toMatchObject(unavailable)
    expect(await succeed(store.pets.add(record(numbered(4))))).toStrictEqual(added(4))
    write('UPDATE store SET relay = NULL')
    expect(await succeed(store.relay.save(first))).toBe(true)
  })

  it('of an API key is reported by id, never served, and hides no other', async () => {
    await succeed(store.apiKeys.add(anyApiKey))
    write(`INSERT INTO api_keys VALUES ('bbbbbbbbbbb', '{"id":"bbbbbbbbbbb","scopes":["root"]}')`)
    write("INSERT INTO api_keys SELECT 'ccccccccccc', record FROM api_keys WHERE id = 'aaaaaaaaaaa'")
    expect(await succeed(store.apiKeys.find('bbbbbbbbbbb'))).toStrictEqual(O.none)
    expect(await succeed(store.apiKeys.list)).toStrictEqual([anyApiKey])
    expect(await succeed(store.apiKeys.change('ccccccccccc', { revokedAt: O.some(1) }))).toStrictEqual(O.none)
    expect(reported.map(({ record: kind, id }) => `${kind} ${id}`)).toStrictEqual([
      'API key bbbbbbbbbbb',
      'API key bbbbbbbbbbb',
      'API key ccccccccccc',
    ])
  })
})

it('removes expired idempotency keys after a day, when new ones are added, but not their pets', async () => {
  const folder = await temporaryPath()
  const store = await openStoreIn(folder)
  for (let id = 1; id <= 40; id += 1) await succeed(store.pets.add(recordUnder(`key ${id}`, id)))
  for (let id = 41; id <= 60; id += 1) await succeed(store.pets.add(recordUnder(`key ${id}`, id, 86_405_000)))
  change(folder, ({ first }) => expect(first('SELECT count(*) FROM idempotency_keys')).toStrictEqual([20n]))
  expect(await succeed(store.pets.count(ALL_PETS))).toBe(60)
})
