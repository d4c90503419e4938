import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { verifyStore } from '../../../../src/adapters/lmdb/verification/verify-store.js'
import { temporaryPath } from '../../../support/runner/temporary-folder.js'
import { writeTables } from '../open-store.js'

describe('verifyStore', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
    await writeTables(folder)
  })

  it('reports a data file that is foreign or truncated', async () => {
    const path = join(folder, 'data.mdb')
    await writeFile(path, 'x'.repeat(10_000))
    expect(await verifyStore(folder)).toMatchObject({
      damaged: 1,
      findings: [{ record: 'data file', id: path, reason: 'the data file is not an LMDB file' }],
    })
    await writeFile(path, '')
    expect(await verifyStore(folder)).toMatchObject({ findings: [{ reason: 'the data file is truncated' }] })
  })

  it('rejects a folder that holds no store, or one of a newer version', async () => {
    const other = join(folder, 'other')
    await expect(verifyStore(other)).rejects.toThrow(`there is no store in ${other}`)
    await mkdir(other)
    await writeFile(join(other, 'format'), 'animal-store 99\n')
    await expect(verifyStore(other)).rejects.toThrow('newer version')
  })
})
