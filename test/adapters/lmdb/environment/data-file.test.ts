import { readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkDataFile } from '../../../../src/adapters/lmdb/environment/data-file.js'
import type { Tables } from '../../../../src/adapters/lmdb/tables/tables.js'
import { temporaryPath } from '../../../support/runner/temporary-folder.js'
import { writeTables } from '../open-store.js'

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
