import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkDataFile } from '../../../src/adapters/lmdb/data-file.js'
import type { Tables } from '../../../src/adapters/lmdb/tables.js'
import { succeed } from '../../../src/testing/outcome.js'
import { type Folder, makeFolder } from './folder.js'
import { openEnvironmentIn } from './open-store.js'

const PAGE_BYTES = 4_096
const LAST_PAGE_AT = 144
const VALUE = Buffer.alloc(300, 1)

describe('checkDataFile', () => {
  let folder: Folder
  let file: string
  beforeEach(async () => {
    folder = await makeFolder()
    file = join(folder.path, 'data.mdb')
  })
  afterEach(() => folder.remove())

  /** Each job is a commit of its own. */
  const written = async (...jobs: readonly ((tables: Tables) => void)[]): Promise<void> => {
    const environment = await openEnvironmentIn(folder.path)
    for (const job of jobs) {
      await succeed(
        environment.write((tables) => {
          job(tables)
          return E.right(undefined)
        }),
      )
    }
    await environment.close()
  }

  const keys = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at)

  it('minds no page after the end of the file that a transaction took and gave back', async () => {
    const add = (from: number, count: number) => (tables: Tables) => {
      for (const key of keys(from, count)) {
        tables.pets.putSync(key, VALUE)
        tables.unsent.putSync(key, VALUE)
      }
    }
    await written(add(0, 300), add(300, 9), (tables) => {
      add(309, 3)(tables)
      for (const key of keys(0, 309)) tables.unsent.removeSync(key)
    })
    const bytes = await readFile(file)
    const lastPages = [0, PAGE_BYTES].map((head) => Number(bytes.readBigUInt64LE(head + LAST_PAGE_AT)))
    expect(bytes.length).toBeLessThan((Math.max(...lastPages) + 1) * PAGE_BYTES)
    checkDataFile(file, true)
  })

  it('finds a value of several pages whose end is cut off', async () => {
    await written((tables) => tables.pets.putSync(1, Buffer.alloc(5 * PAGE_BYTES, 7)))
    checkDataFile(file, true)
    const end = (await readFile(file)).lastIndexOf(Buffer.alloc(16, 7))
    await truncate(file, end)
    expect(() => checkDataFile(file, true)).toThrow('its data file is cut short')
  })

  it('finds a value of several pages whose first is overwritten', async () => {
    await written((tables) => tables.pets.putSync(1, Buffer.alloc(5 * PAGE_BYTES, 7)))
    const bytes = await readFile(file)
    const page = Math.floor(bytes.indexOf(Buffer.alloc(16, 7)) / PAGE_BYTES)
    await writeFile(file, bytes.fill(2, page * PAGE_BYTES, (page + 1) * PAGE_BYTES))
    expect((await stat(file)).size).toBe(bytes.length)
    expect(() => checkDataFile(file, true)).toThrow(`page ${page} of its data file is damaged`)
  })
})
