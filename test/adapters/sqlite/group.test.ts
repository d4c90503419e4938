// One transaction for many writes, in this thread.
import * as E from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Connection, connect, setUpWriter } from '../../../src/adapters/sqlite/file/connection.js'
import { valuesOf } from '../../../src/adapters/sqlite/records.js'
import { makeGroups } from '../../../src/adapters/sqlite/writing/group.js'
import type { Write } from '../../../src/adapters/sqlite/writing/writes.js'
import type { Store } from '../../../src/ports/store.js'
import { anyPet, held, idsOf, numbered, record } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from './open-store.js'

const add = (id: number, name = 'Rex'): Write => ({
  name: 'add',
  input: valuesOf(record(numbered(id, { ...anyPet, name }), held('a', `key ${id}`))),
})

describe('a group of writes', () => {
  let store: Store
  let connection: Connection
  beforeEach(async () => {
    const folder = await temporaryPath()
    store = await openStoreIn(folder)
    connection = connect(`${folder}/animal-store.db`, { readOnly: false })
    setUpWriter(connection)
    return () => connection.close()
  })

  it('adds all beside one that fails, whose traces are gone', async () => {
    connection.exec("CREATE TRIGGER no BEFORE INSERT ON pets WHEN new.name = 'no' BEGIN SELECT raise(FAIL, 'no'); END")
    const results = makeGroups(connection, 1_000, () => {})([add(1), add(2, 'no'), add(3)])
    expect(results).toMatchObject([E.right(1n), { _tag: 'Left', left: { cause: { message: 'no' } } }, E.right(3n)])
    expect(await idsOf(store.pets, {})).toStrictEqual([3, 1])
    expect(connection.first('SELECT count(*) FROM idempotency_keys')).toStrictEqual([2n])
  })

  it('writes nothing if nothing may be acknowledged', async () => {
    const results = makeGroups(connection, 1_000, () => {
      throw new Error('gone')
    })([add(1), add(2)])
    expect(results.map((result) => E.isLeft(result) && result.left.cause)).toStrictEqual([
      new Error('gone'),
      new Error('gone'),
    ])
    expect(await idsOf(store.pets, {})).toStrictEqual([])
  })

  it('is unavailable as a whole while another connection holds the lock for too long, and not afterwards', async () => {
    const run = makeGroups(connection, 5, () => {})
    const other = connect(String(connection.first('PRAGMA database_list')?.[2]), { readOnly: false })
    other.exec('BEGIN IMMEDIATE')
    expect(run([add(1), add(2)])).toMatchObject([
      { _tag: 'Left', left: { cause: { message: 'database is locked' } } },
      { _tag: 'Left' },
    ])
    other.exec('ROLLBACK')
    other.close()
    expect(run([add(1)])).toStrictEqual([E.right(1n)])
  })
})
