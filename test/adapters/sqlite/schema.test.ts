// The steps of the schema, by steps of the test where this version has too few.
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { DamagedBackup, restoreSqliteStore } from '../../../src/adapters/sqlite/backup/restore.js'
import { verifyStore } from '../../../src/adapters/sqlite/backup/verify-store.js'
import { type Connection, using } from '../../../src/adapters/sqlite/file/connection.js'
import { createStore, ensureSchema, STEPS } from '../../../src/adapters/sqlite/file/schema.js'
import { added, fail, idsOf, numbered, record, succeed } from '../../../src/testing/samples.js'
import { temporaryFolder, temporaryPath } from '../../support/runner/temporary-folder.js'
import { change, openStoreIn } from './open-store.js'

/** Made by version 1: three pets, an idempotency key and an API key. Never make it again. */
const VERSION_1 = fileURLToPath(new URL('version-1.db', import.meta.url))

const NEXT = [...STEPS, 'ALTER TABLE pets ADD COLUMN color TEXT; CREATE INDEX pets_by_color ON pets (color)']

describe('the schema of the embedded store', () => {
  let path: string
  beforeEach(async () => {
    path = join(await temporaryFolder(), 'animal-store.db')
    createStore(path)
  })

  const open = <A>(work: (connection: Connection) => A): A => using(path, { readOnly: false }, work)

  it('of a file of version 1 is that of today', async () => {
    const folder = await temporaryPath()
    await mkdir(folder)
    await copyFile(VERSION_1, join(folder, 'animal-store.db'))
    const store = await openStoreIn(folder)
    expect(await idsOf(store.pets, {})).toStrictEqual([3, 2, 1])
    expect(await succeed(store.pets.add(record(numbered(4))))).toStrictEqual(added(4))
    expect(await succeed(store.apiKeys.list)).toHaveLength(1)
    expect(verifyStore(join(folder, 'animal-store.db'))).toMatchObject({ pets: 4, idempotencyKeys: 1, damaged: 0 })
  })

  it('gets a step of a newer version once, which an older version refuses', () => {
    open((connection) => ensureSchema(connection, NEXT))
    open((connection) => ensureSchema(connection, NEXT))
    open(({ exec, first }) => {
      exec("INSERT INTO pets VALUES (1, 'Rex', 1, NULL, 'e', 1, NULL, 'red')")
      expect(first('SELECT color FROM pets WHERE id = 1')).toStrictEqual(['red'])
    })
    expect(() => open((connection) => ensureSchema(connection))).toThrow(
      'it was written by a newer version, with schema 2; this version knows schema 1',
    )
  })

  it('is the former one after a step that fails half-way, and the new one after the next try', () => {
    const failing = [...STEPS, 'ALTER TABLE pets ADD COLUMN color TEXT; CREATE INDEX broken ON missing (color)']
    expect(() => open((connection) => ensureSchema(connection, failing))).toThrow('no such table: main.missing')
    open((connection) => ensureSchema(connection))
    open((connection) => ensureSchema(connection, NEXT))
  })

  it('gets a step from the first of two processes, for which the other one waits', () => {
    open((connection) => {
      const { first, transaction } = connection
      // the other process takes its turn between the look and the lock of this one
      const raced: Connection = {
        ...connection,
        transaction: (work) => {
          open((other) => ensureSchema(other, NEXT))
          return transaction(work)
        },
      }
      ensureSchema(raced, NEXT)
      expect(first('PRAGMA user_version')).toStrictEqual([2n])
    })
  })

  it.each([
    ['CREATE TRIGGER thief AFTER INSERT ON pets BEGIN DELETE FROM pets; END', 'trigger thief is not ours'],
    ['CREATE VIEW pets_view AS SELECT * FROM pets', 'view pets_view is not ours'],
    ['DROP INDEX pets_by_status', 'index pets_by_status is missing'],
    ['DROP TRIGGER pet_added', 'trigger pet_added is missing'],
    ['ALTER TABLE pets ADD COLUMN color TEXT', 'column pets.color is not ours'],
    ['ALTER TABLE pets DROP COLUMN traceparent', 'column pets.traceparent is missing'],
    [
      'DROP INDEX pets_by_status; CREATE INDEX pets_by_status ON pets (name)',
      'index pets_by_status has another definition',
    ],
  ])('is compared with what is expected, at the open, by verify and by restore: %s', async (sql, fault) => {
    const folder = await temporaryPath()
    const { close } = await openStoreIn(folder)
    await close()
    change(folder, ({ exec }) => exec(sql))
    await expect(openStoreIn(folder)).rejects.toThrow(`its tables are not those of this version: ${fault}`)
    expect(verifyStore(join(folder, 'animal-store.db')).findings[0]).toStrictEqual({
      record: 'database',
      id: 'schema',
      reason: fault,
    })
    const restoring = restoreSqliteStore(join(folder, 'animal-store.db'), `${folder}-restored`, {
      aside: `${folder}-aside`,
      isForced: true,
    })
    expect((await fail(restoring)).cause).toBeInstanceOf(DamagedBackup)
  })

  it.each(['ANALYZE', 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)'])(
    'may have had: %s',
    (sql) => {
      open(({ exec }) => exec(sql))
      expect(() => open((connection) => ensureSchema(connection))).not.toThrow()
    },
  )
})
