import { readFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkDataFile } from '../../../../src/adapters/lmdb/environment/data-file.js'
import type { Tables } from '../../../../src/adapters/lmdb/tables/tables.js'
import { unusedAfter } from '../../../../src/domain/events/relay-record.js'
import { ALL_PETS } from '../../../../src/domain/pets/pet-query.js'
import type { Notice } from '../../../../src/ports/notice.js'
import type { Store } from '../../../../src/ports/store.js'
import { fail, numbered, record, succeed } from '../../../../src/testing/samples.js'
import { temporaryPath } from '../../../support/runner/temporary-folder.js'
import { openStoreIn, writeTables } from '../open-store.js'

const PAGE_BYTES = 4_096
const LAST_PAGE_AT = 144
/** Offsets of the roots of the free pages and of the tables in the latest header, which is the first or the second page. */
const ROOTS_AT = [88, 136]
const TRANSACTION_AT = 152
const rootPages = (bytes: Buffer): readonly number[] => {
  const second = bytes.readBigUInt64LE(TRANSACTION_AT) < bytes.readBigUInt64LE(PAGE_BYTES + TRANSACTION_AT)
  return ROOTS_AT.map((at) => Number(bytes.readBigUInt64LE(at + (second ? PAGE_BYTES : 0))))
}
const VALUE = Buffer.alloc(300, 1)

describe('checkDataFile', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await temporaryPath()
    file = join(folder, 'data.mdb')
  })

  const keys = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at)

  it('accepts a file without the last pages that a transaction allocated and freed', async () => {
    const add = (from: number, count: number) => (tables: Tables) => {
      for (const key of keys(from, count)) {
        tables.pets.putSync(key, VALUE)
        tables.byStatus.sold.putSync(key, VALUE)
      }
    }
    await writeTables(folder, add(0, 300), add(300, 9), (tables) => {
      add(309, 3)(tables)
      for (const key of keys(0, 309)) tables.byStatus.sold.removeSync(key)
    })
    const bytes = await readFile(file)
    const lastPages = [0, PAGE_BYTES].map((head) => Number(bytes.readBigUInt64LE(head + LAST_PAGE_AT)))
    expect(bytes.length).toBeLessThan((Math.max(...lastPages) + 1) * PAGE_BYTES)
    checkDataFile(file)
  })

  it('detects a file that lacks more than a transaction may leave unwritten, wherever its roots are', async () => {
    // the following commits put their roots into the free pages of the first value, at the beginning of the file
    const [small, large] = [Buffer.alloc(64 * PAGE_BYTES, 1), Buffer.alloc(8_388_608, 2)]
    const noChange = ({ meta }: Tables): void => meta.putSync('a', VALUE)
    await writeTables(
      folder,
      ({ pets }) => pets.putSync(1, small),
      ({ pets }) => pets.putSync(2, large),
      ({ pets }) => pets.removeSync(1),
      noChange,
      noChange,
      noChange,
      noChange,
    )
    const { size } = await stat(file)
    expect(rootPages(await readFile(file)).every((page) => page < 100)).toBe(true)
    await truncate(file, size - 1_048_576)
    checkDataFile(file)
    await truncate(file, size - 5_242_880)
    expect(() => checkDataFile(file)).toThrow('the data file is truncated')
  })

  it('detects a small file that ends before one of its roots', async () => {
    await writeTables(folder, (tables) => {
      for (const key of keys(0, 300)) tables.pets.putSync(key, VALUE)
    })
    const last = Math.max(...rootPages(await readFile(file)))
    await truncate(file, (last + 1) * PAGE_BYTES)
    checkDataFile(file)
    await truncate(file, (last + 1) * PAGE_BYTES - 1)
    expect(() => checkDataFile(file)).toThrow('the data file is truncated')
  })

  it('accepts an empty store', async () => {
    await writeTables(folder)
    expect(() => checkDataFile(file)).not.toThrow()
  })
})

describe('an open store', () => {
  let folder: string
  let store: Store
  let notices: Notice[]
  beforeEach(async () => {
    folder = await temporaryPath()
    notices = []
    store = await openStoreIn(folder, { notify: (notice) => notices.push(notice) })
    await succeed(store.pets.add(record(numbered(1))))
  })

  const moved = () => `${folder}.moved`
  const expectRefused = async (): Promise<void> => {
    const unavailable = { _tag: 'Unavailable', cause: { message: expect.stringContaining(folder) } }
    expect(await fail(store.ping)).toMatchObject(unavailable)
    expect(await fail(store.pets.add(record(numbered(2))))).toMatchObject(unavailable)
    expect(await fail(store.apiKeys.change('a', {}))).toMatchObject(unavailable)
    expect(await fail(store.relay.save({ ...unusedAfter(0), version: 1 }))).toMatchObject(unavailable)
  }
  const expectOneError = (reason: string): void =>
    expect(notices).toStrictEqual([
      {
        level: 'error',
        message: 'the data folder is not the one that was opened: writes are refused',
        details: { reason },
      },
    ])

  it('refuses writes and pings once its folder is deleted, reports it once, and keeps reading', async () => {
    await succeed(store.ping)
    await rm(folder, { recursive: true })
    await expectRefused()
    expectOneError(`${join(folder, 'data.mdb')} is missing`)
    expect(await succeed(store.pets.findById(1n))).toStrictEqual(O.some(numbered(1)))
    expect(await succeed(store.pets.count(ALL_PETS))).toBe(1)
  })

  it('refuses writes once another store replaces its folder, and does not change that store', async () => {
    await rename(folder, moved())
    const other = await openStoreIn(folder)
    await expectRefused()
    expectOneError(`${join(folder, 'data.mdb')} is another file`)
    expect(await succeed(other.pets.count(ALL_PETS))).toBe(0)
    await succeed(other.ping)
  })

  it('refuses writes once its lock file is deleted, which would let another process write at the same time', async () => {
    await rm(join(folder, 'lock.mdb'))
    await expectRefused()
    expectOneError(`${join(folder, 'lock.mdb')} is missing`)
  })

  it('writes again once its folder is back, without the refused writes', async () => {
    await rename(folder, moved())
    await expectRefused()
    await rename(moved(), folder)
    await succeed(store.ping)
    expect(await succeed(store.pets.count(ALL_PETS))).toBe(1)
    await succeed(store.pets.add(record(numbered(2))))
    expect(notices.slice(1)).toStrictEqual([
      { level: 'info', message: 'the data folder is back', details: { directory: folder } },
    ])
  })
})
