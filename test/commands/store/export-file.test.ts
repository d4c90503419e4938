import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { writeExport } from '../../../src/commands/store/export.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

describe('the file of an export', () => {
  it.each([
    ['is removed if the export fails', async () => {}],
    ['hides no earlier failure if it cannot be removed', rm],
  ])('%s', async (_, remove) => {
    const folder = await temporaryFolder()
    const path = join(folder, 'export.jsonl')
    const texts = async function* () {
      yield '{}\n'
      await remove(path)
      throw new Error('away')
    }
    expect(await writeExport(path, texts())()).toStrictEqual(E.left({ _tag: 'FileFailed', file: path, reason: 'away' }))
    expect(await readdir(folder)).toStrictEqual([])
  })
})
