import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { backupSqliteStore } from '../../../src/adapters/sqlite/backup/backup.js'
import { verifyStore } from '../../../src/adapters/sqlite/backup/verify-store.js'
import { connect, using } from '../../../src/adapters/sqlite/file/connection.js'
import { heldRecord, liveKey, petRecord, restoreInto } from '../../../src/testing/contracts/archive-samples.js'
import { range, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { fillStore } from '../../support/stores/rich-store.js'
import { change, DAMAGED_NAME, damagePage, openStoreIn } from './open-store.js'

describe('verifyStore', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await temporaryPath()
    path = join(folder, 'animal-store.db')
  })

  it('reports no damage in a store that clients, operators and a relay have used', async () => {
    await fillStore(await openStoreIn(folder), 40)
    const progress: (readonly number[])[] = []
    expect(verifyStore(path, (...numbers) => progress.push(numbers))).toStrictEqual({
      pets: 40,
      apiKeys: 2,
      idempotencyKeys: 20,
      damaged: 0,
      findings: [],
    })
    expect(progress).toStrictEqual([2, 42, 62].map((done) => [done, 62]))
  })

  it.each<readonly [string, string, string]>([
    ['a name that is not UTF-8', "UPDATE pets SET name = CAST(x'ff' AS TEXT) WHERE id = 1", `pet 1: ${DAMAGED_NAME}`],
    [
      'a count that is wrong',
      "UPDATE counts SET pets = 9 WHERE status = 'pending'",
      'count pending: is 9, and there are 3 pets',
    ],
    [
      'an API key under another id',
      "UPDATE api_keys SET id = 'bbbbbbbbbbb'",
      'API key bbbbbbbbbbb: /id: belongs to another key',
    ],
    [
      'an idempotency key without its pet',
      'UPDATE idempotency_keys SET pet_id = 9',
      'idempotency key a key 1: its pet 9 is missing',
    ],
    [
      'an idempotency key that is not UTF-8',
      "UPDATE idempotency_keys SET key = CAST(x'f06162' AS TEXT)",
      'idempotency key a \u{fffd}ab: /key: must be a string',
    ],
    [
      'an idempotency key with a time that no date can hold',
      'UPDATE idempotency_keys SET expires_at = 9000000000000000',
      'idempotency key a key 1: /expiresAt: must be an integer of milliseconds since 1970',
    ],
    ['the record of the relay', "UPDATE store SET relay = '{'", 'relay record events: must be an object'],
  ])('names %s', async (_, sql, wanted) => {
    const { archive, apiKeys } = await openStoreIn(folder)
    await succeed(apiKeys.add(liveKey()))
    await restoreInto(archive, heldRecord(1), petRecord(2), petRecord(3))
    change(folder, ({ exec }) => exec(sql))
    const { damaged, findings } = verifyStore(path)
    const lines = findings.map(({ record, id, reason }) => `${record} ${id}: ${reason}`)
    expect(lines).toStrictEqual([wanted])
    expect(damaged).toBe(findings.length)
  })

  it('names pages that SQLite finds damaged, and a file that it cannot read', async () => {
    const { archive, close } = await openStoreIn(folder)
    const records = range(1, 2_000).map((id) => petRecord(id))
    await restoreInto(archive, ...records)
    await close()
    const backup = join(folder, 'copy.db')
    change(folder, ({ run }) => run('VACUUM INTO ?', backup))
    const bytes = await readFile(backup)
    await writeFile(
      backup,
      Buffer.concat([bytes.subarray(0, 40_960), Buffer.alloc(4_096, 0xa5), bytes.subarray(45_056)]),
    )
    expect(verifyStore(backup).findings[0]).toMatchObject({ record: 'database' })
    await writeFile(backup, bytes.subarray(0, 20_000))
    expect(verifyStore(backup).findings[0]).toMatchObject({ record: 'database' })
    await writeFile(backup, 'no database'.repeat(1_000))
    const reason = 'file is not a database'
    expect(verifyStore(backup)).toMatchObject({ damaged: 1, findings: [{ record: 'database', id: backup, reason }] })
  })
})

describe('verifyStore, of damaged pages', () => {
  let path: string
  beforeEach(async () => {
    const folder = await temporaryPath()
    const { archive } = await openStoreIn(folder)
    await restoreInto(archive, ...range(1, 2_000).map((id) => petRecord(id)))
    path = `${folder}-backup`
    await succeed(backupSqliteStore(folder, path))
  })

  it.each([
    ['pets', /^page \d+ of pets$/],
    ['pets_by_status', /^page \d+ of pets_by_status$/],
    ['idempotency_keys', /^page \d+ of idempotency_keys$/],
    ['store', /^page \d+ of store$/],
  ])('names the page and its table, and reads on: %s', async (table, place) => {
    await damagePage(path, table)
    const { findings, damaged } = verifyStore(path)
    expect(findings[0]).toStrictEqual({
      record: 'database',
      id: expect.stringMatching(place),
      reason: expect.any(String),
    })
    expect(damaged).toBe(findings.length)
  })

  it.each(['store', 'api_keys', 'idempotency_keys'])(
    'counts and reads the pets beside a damaged page of another table: %s',
    async (table) => {
      using(path, { readOnly: false }, ({ exec }) => exec("UPDATE pets SET name = CAST(x'ff' AS TEXT) WHERE id = 7"))
      await damagePage(path, table)
      const { pets, findings } = verifyStore(path)
      expect([pets, findings.at(-1)]).toMatchObject([2_000, { record: 'pet', id: '7' }])
    },
  )
})

describe('verifyStore does not call damaged', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await temporaryPath()
    path = join(folder, 'animal-store.db')
    const { close } = await openStoreIn(folder)
    await close()
  })

  it('a file that another process has locked', async () => {
    const copy = `${folder}-copy`
    await copyFile(path, copy)
    const other = connect(copy, { readOnly: false })
    onTestFinished(other.close)
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE')
    expect(() => verifyStore(copy)).toThrow('database is locked')
  })

  it('a folder', () => {
    expect(() => verifyStore(folder)).toThrow(/unable to open database file|disk I\/O error/)
  })
})
