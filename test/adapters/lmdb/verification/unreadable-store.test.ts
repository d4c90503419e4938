import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { verifyStore } from '../../../../src/adapters/lmdb/verification/verify-store.js'
import { type Folder, makeFolder } from '../folder.js'
import { openEnvironmentIn } from '../open-store.js'

describe('verifyStore', () => {
  let folder: Folder
  beforeEach(async () => {
    folder = await makeFolder()
    await (await openEnvironmentIn(folder.path)).close()
  })
  afterEach(() => folder.remove())

  it('names a data file that is foreign or cut short', async () => {
    const path = join(folder.path, 'data.mdb')
    await writeFile(path, 'x'.repeat(10_000))
    expect(await verifyStore(folder.path)).toMatchObject({
      damaged: 1,
      findings: [{ record: 'data file', id: path, reason: 'the data file is not an LMDB file' }],
    })
    await writeFile(path, '')
    expect(await verifyStore(folder.path)).toMatchObject({ findings: [{ reason: 'the data file is truncated' }] })
  })

  it('rejects a folder that holds no store, or one of a newer version', async () => {
    const other = join(folder.path, 'other')
    await expect(verifyStore(other)).rejects.toThrow(`there is no store in ${other}`)
    await mkdir(other)
    await writeFile(join(other, 'format'), 'animal-store 99\n')
    await expect(verifyStore(other)).rejects.toThrow('newer version')
  })
})
