import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openExportFile } from '../../../src/commands/store/export.js'
import { succeed } from '../../../src/testing/samples.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

describe('the file of an export', () => {
  it.each([
    ['before it is complete', false],
    ['after it is complete', true],
  ])('is removed when it is discarded %s', async (_, isFinished) => {
    const folder = await temporaryFolder()
    const file = await succeed(openExportFile(join(folder, 'export.jsonl')))
    await succeed(file.write('{}\n'))
    if (isFinished) await succeed(file.finish)
    await file.discard()
    expect(await readdir(folder)).toStrictEqual([])
  })

  it('hides no earlier failure when it cannot be removed', async () => {
    const path = join(await temporaryFolder(), 'export.jsonl')
    const file = await succeed(openExportFile(path))
    await rm(path)
    await expect(file.discard()).resolves.toBeUndefined()
  })
})
