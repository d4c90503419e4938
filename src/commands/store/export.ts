// animal-store export [FILE]: writes all that the store holds as JSON Lines, to a new file that only its owner can read, or to stdout.

import { open, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ExportPart, exportStore } from '../../domain/archive/export-store.js'
import type { Unavailable } from '../../domain/errors.js'
import type { Clock } from '../../ports/clock.js'
import type { Damage } from '../../ports/notice.js'
import type { ArchivedStore } from '../../ports/store.js'
import { counted, UsageError } from '../command.js'
import type { FileFailed } from '../store-command.js'
import { MAX_LISTED, mustExist, type Result, storeCommand } from '../store-command.js'
import { withProgress } from './progress.js'

export interface ExportFile {
  readonly write: (text: string) => TaskEither<FileFailed, void>
  /** Syncs everything written to disk. */
  readonly finish: TaskEither<FileFailed, void>
  /** Removes what was written, if possible. */
  readonly discard: Task<void>
}

const failed =
  (file: string) =>
  (error: unknown): FileFailed => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    return { _tag: 'FileFailed', file, reason: isThere ? 'exists already' : E.toError(error).message }
  }

/** Never overwrites a file, which may be another export: `FileFailed` if it exists. */
const newFile = (path: string): TaskEither<FileFailed, ExportFile> =>
  TE.tryCatch(async () => {
    const file = await open(path, 'wx', 0o600)
    return {
      write: (text) => TE.tryCatch(() => file.appendFile(text), failed(path)),
      finish: TE.tryCatch(async () => {
        await file.sync()
        await file.close()
        const folder = await open(dirname(path))
        await folder.sync().finally(() => folder.close())
      }, failed(path)),
      // a failure here must not hide why the export failed
      discard: async () => {
        await file.close().catch(() => {})
        await rm(path).catch(() => {})
      },
    }
  }, failed(path))

const writeToStdout = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    // the callback comes once the reader has made room
    process.stdout.write(text, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })

const stdout: ExportFile = {
  write: (text) => TE.tryCatch(() => writeToStdout(text), failed('stdout')),
  finish: TE.right(undefined),
  discard: async () => {},
}

export const openExportFile = (path: string | undefined): TaskEither<FileFailed, ExportFile> => {
  if (path !== undefined) return newFile(path)
  // a closed pipe also fails the next write, which reports it
  process.stdout.on('error', () => {})
  return TE.right(stdout)
}

interface Exported {
  readonly counts: ExportPart['counts']
  readonly damaged: number
  readonly named: readonly Damage[]
}

const writeAll = async (
  store: ArchivedStore,
  clock: Clock,
  file: ExportFile,
  advance: (value: number, total: number) => void,
): Promise<E.Either<Unavailable | FileFailed, Exported>> => {
  let exported: Exported = { counts: { apiKeys: 0, pets: 0, idempotencyKeys: 0 }, damaged: 0, named: [] }
  for await (const part of exportStore({ ...store, clock })()) {
    if (E.isLeft(part)) return part
    const { text, counts, damaged, total } = part.right
    const written = await file.write(text)()
    if (E.isLeft(written)) return written
    exported = {
      counts,
      damaged: exported.damaged + damaged.length,
      named: [...exported.named, ...damaged].slice(0, MAX_LISTED),
    }
    advance(counts.apiKeys + counts.pets + counts.idempotencyKeys, total)
  }
  const finished = await file.finish()
  return E.isLeft(finished) ? finished : E.right(exported)
}

const resultOf = ({ counts, damaged, named }: Exported, path: string | undefined): Result => {
  const { apiKeys, pets, idempotencyKeys } = counts
  const summary = `exported ${counted(pets, 'pet')}, ${counted(apiKeys, 'API key')}, ${counted(idempotencyKeys, 'idempotency key')}`
  const lines = named.map(({ record, id, reason }) => `damaged ${record} ${id}: ${reason}`)
  return {
    json: { ...counts, damaged },
    ...(path === undefined ? { heading: summary, lines: [] } : { lines: [`${summary} to ${path}`] }),
    ...(damaged > 0 && {
      warning: [...lines, `damaged records that are left out: ${damaged}`].join('\n'),
      isIncomplete: true,
    }),
  }
}

const exportTo =
  (path: string | undefined, clock: Clock) =>
  (store: ArchivedStore): TaskEither<Unavailable | FileFailed, Result> =>
  async () => {
    const file = await openExportFile(path)()
    if (E.isLeft(file)) return file
    // a progress bar would garble an export that is printed to the same terminal
    const isShown = path !== undefined || !process.stdout.isTTY
    const exported = await withProgress('records', (advance) =>
      writeAll(store, clock, file.right, isShown ? advance : () => {}),
    )
    if (E.isLeft(exported)) await file.right.discard()
    return E.map((all: Exported) => resultOf(all, path))(exported)
  }

export const exportCommand = storeCommand({
  usage: 'export [FILE]',
  summary: 'write all pets, keys and the position of the relay as JSON Lines to the new FILE, or to stdout',
  optionalOperands: 1,
  plan: ({ positionals: [path], json }, _config, clock) => {
    if (json && path === undefined)
      throw new UsageError('--json: wanted a FILE, because the export itself is on stdout')
    if (path === '') throw new UsageError('FILE: got "", wanted the path of a file to make')
    if (path !== undefined) mustExist('folder', dirname(resolve(path)))
    return exportTo(path, clock)
  },
})
