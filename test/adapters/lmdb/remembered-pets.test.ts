// What the embedded store keeps of what it has read, and for how long.
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, expect, it } from 'vitest'
import { encodePetRecord } from '../../../src/adapters/lmdb/tables/pet-table.js'
import type { Tables } from '../../../src/adapters/lmdb/tables/tables.js'
import type { Damage } from '../../../src/ports/notice.js'
import type { ArchivedStore } from '../../../src/ports/store.js'
import { idsOf, numbered, range, record, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn, writeTables } from './open-store.js'

const bytesOf = (id: number): Buffer => encodePetRecord(record(numbered(id)).event)

let folder: string
let store: ArchivedStore
let reported: Damage[]

beforeEach(async () => {
  folder = await temporaryPath()
  reported = []
  store = await openStoreIn(folder, { reportDamage: (damage) => void reported.push(damage) })
  await write(({ pets }) => {
    for (const id of range(1, 30)) pets.putSync(id, bytesOf(id))
  })
})

const write = (job: (tables: Tables) => void): Promise<void> => writeTables(folder, job)
const damage = ({ pets }: Tables): void => pets.putSync(2, Buffer.from('{"id":'))

it('remembers a pet until 4,096 others were read', async () => {
  const find = (id: number) => succeed(store.pets.findById(BigInt(id)))
  const intact = await find(2)
  const others = range(31, 30 + 4_096)
  await write((tables) => {
    damage(tables)
    for (const id of others) tables.pets.putSync(id, bytesOf(id))
  })
  for (const id of others.slice(1)) await find(id)
  expect(await find(2)).toStrictEqual(intact)
  await find(31)
  expect(await find(2)).toStrictEqual(O.none)
  expect(reported).toHaveLength(1)
})

it('remembers no damaged pet, which may be repaired', async () => {
  const newest = range(11, 30).reverse()
  expect(await idsOf(store.pets, {})).toStrictEqual(newest)
  await write(damage)
  const before = O.some(4n)
  for (const _ of [1, 2]) expect(await idsOf(store.pets, { before })).toStrictEqual([3, 1])
  await write(({ pets }) => pets.putSync(2, bytesOf(2)))
  expect(await idsOf(store.pets, { before })).toStrictEqual([3, 2, 1])
  expect(await idsOf(store.pets, {})).toStrictEqual(newest)
})
