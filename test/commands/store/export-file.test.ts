import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { systemClock } from '../../../src/adapters/node/system.js'
import { exportTo, writeExport } from '../../../src/commands/store/export.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { Archive } from '../../../src/ports/archive.js'
import { petRecord } from '../../../src/testing/samples.js'
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

  it('is removed if the store fails half-way, and the failure is that of the store', async () => {
    const folder = await temporaryFolder()
    const failure = E.left(unavailable(new Error('the database is away')))
    const archive: Archive = {
      size: async () => E.right(2),
      read: async function* () {
        yield E.right([petRecord(1)])
        yield failure
      },
      add: () => async () => failure,
    }
    const store = { ...makeMemoryStore(), archive }
    expect(await exportTo(join(folder, 'export.jsonl'), systemClock)(store)()).toStrictEqual(failure)
    expect(await readdir(folder)).toStrictEqual([])
  })
})
