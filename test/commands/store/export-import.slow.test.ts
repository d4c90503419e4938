import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { systemClock } from '../../../src/adapters/node/system.js'
import { exportTo, writeExport } from '../../../src/commands/store/export.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { Archive } from '../../../src/ports/archive.js'
import { petRecord, restoreInto } from '../../../src/testing/contracts/archive-samples.js'
import { range } from '../../../src/testing/samples.js'
import { openStoreIn } from '../../adapters/sqlite/open-store.js'
import { runCommand } from '../../support/processes/run-command.js'
import { temporaryFolder, temporaryPath } from '../../support/runner/temporary-folder.js'
import { fillStore } from '../../support/stores/rich-store.js'

describe('animal-store export and import', () => {
  let folder: string
  let file: string
  let other: string
  beforeEach(async () => {
    folder = await temporaryPath()
    file = join(dirname(folder), 'export.jsonl')
    other = join(dirname(folder), 'other')
  })

  const run = (...words: readonly string[]) => runCommand({ DATA_DIR: folder }, ...words)
  const runInOther = (...words: readonly string[]) => runCommand({ DATA_DIR: other }, ...words)
  const fill = async (count: number): Promise<void> => {
    const store = await openStoreIn(folder)
    await fillStore(store, count)
    await store.close()
  }
  const linesIn = async (path: string): Promise<readonly string[]> =>
    // skip the header, which contains the time
    (await readFile(path, 'utf8')).split('\n').slice(1)

  it('copy a store exactly to another one, and change nothing the second time [cmd-store]', async () => {
    await fill(40)
    expect(await run('export', file, '--json')).toStrictEqual({
      code: 0,
      stdout: '{"apiKeys":2,"pets":40,"idempotencyKeys":20,"damaged":0}\n',
      stderr: '',
    })
    const first = await runInOther('import', file, '--json')
    expect([first.code, first.stderr]).toStrictEqual([0, `created a new store in ${other} (DATA_DIR)\n`])
    expect(JSON.parse(first.stdout)).toStrictEqual({
      apiKeys: { added: 2, unchanged: 0 },
      pets: { added: 40, unchanged: 0 },
      idempotencyKeys: { added: 20, unchanged: 0 },
    })
    expect(await runInOther('import', file)).toStrictEqual({
      code: 0,
      stdout:
        'pets: 0 added, 40 unchanged\n' +
        'API keys: 0 added, 2 unchanged\n' +
        'idempotency keys: 0 added, 20 unchanged\n',
      stderr: '',
    })
    await runInOther('export', `${file}.2`)
    expect(await linesIn(`${file}.2`)).toStrictEqual(await linesIn(file))
    // the pending events are the same, and no others
    expect(JSON.parse((await runInOther('events', 'backlog', '--json')).stdout)).toMatchObject({
      backlog: 20,
      parked: 0,
    })
  })

  it('write a file for its owner alone, say what is in it, and never write over one that exists', async () => {
    await fill(3)
    expect((await run('export', file)).stdout).toBe(`exported 3 pets, 2 API keys, 2 idempotency keys to ${file}\n`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await writeFile(file, 'mine')
    expect(await run('export', file)).toStrictEqual({ code: 1, stdout: '', stderr: `${file}: exists already\n` })
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  it.each<readonly [string, (text: string) => string | Uint8Array, RegExp]>([
    [
      'not UTF-8',
      (text) => Buffer.from(text.replace('Rex', 'R\u00e9x'), 'latin1'),
      /^line \d: it is not valid UTF-8$/m,
    ],
    ['one long line', () => 'x'.repeat(3_000_000), /^line 1: it is longer than 1048576 bytes$/m],
  ])('fail for an export that is %s, and name the line', async (_, damage, message) => {
    const store = await openStoreIn(folder)
    await restoreInto(store.archive, ...range(1, 5).map((id) => petRecord(id, { name: 'Rex', categoryId: 1n })))
    await store.close()
    await run('export', file)
    await writeFile(file, damage(await readFile(file, 'utf8')))
    const { code, stdout, stderr } = await runInOther('import', file, '--json')
    expect([code, stdout]).toStrictEqual([1, ''])
    expect(stderr.replace(/^created.*\n/, '')).toMatch(message)
  })

  it('create no store for a file that cannot be read', async () => {
    for (const [path, reason] of [
      [file, `ENOENT: no such file or directory, access '${file}'`],
      ['/', '/ is a folder'],
    ] as const)
      expect(await runInOther('import', path)).toStrictEqual({ code: 1, stdout: '', stderr: `${reason}\n` })
    await expect(stat(other)).rejects.toThrow('ENOENT')
  })
})

describe('the file of an export', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await temporaryFolder()
    path = join(folder, 'export.jsonl')
  })

  it('has its name only once it is complete, so that an export that is killed can be repeated', async () => {
    const names: (readonly string[])[] = []
    const texts = async function* () {
      yield '{}\n'
      names.push(await readdir(folder))
      yield '{}\n'
    }
    await writeExport(path, texts())
    expect(names).toStrictEqual([[expect.stringMatching(/^\.export\.jsonl\.unfinished-/)]])
    expect(await readdir(folder)).toStrictEqual(['export.jsonl'])
    expect(await readFile(path, 'utf8')).toBe('{}\n{}\n')
  })

  it('replaces none that came to exist while it was written', async () => {
    const texts = async function* () {
      await writeFile(path, 'mine')
      yield '{}\n'
    }
    await expect(writeExport(path, texts())).rejects.toThrow(`${path}: exists already`)
    expect(await readdir(folder)).toStrictEqual(['export.jsonl'])
    expect(await readFile(path, 'utf8')).toBe('mine')
  })

  it('is removed if the store fails half-way, and the failure is that of the store', async () => {
    const failure = E.left(unavailable(new Error('the database is away')))
    const page = { records: [petRecord(1)], damaged: [], next: O.some(1n) }
    const archive: Archive = {
      lastId: TE.right(1n),
      read: (after) => (after === 0n ? TE.right(page) : async () => failure),
      restore: () => async () => failure,
      end: () => async () => failure,
    }
    const store = { ...makeMemoryStore(), archive }
    expect(await exportTo(path, systemClock)(store, { report: () => {}, count: () => 0 })()).toStrictEqual(failure)
    expect(await readdir(folder)).toStrictEqual([])
  })
})
