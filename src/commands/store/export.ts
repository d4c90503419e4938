// animal-store export [FILE]: writes all that the store holds as JSON Lines, to a new file that only its owner can read, or to stdout.

import { open, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { syncToDisk } from '../../adapters/sqlite/file/folder.js'
import { type ExportPart, exportStore } from '../../domain/archive/export-store.js'
import type { Unavailable } from '../../domain/errors.js'
import { asError, memberOf } from '../../domain/thrown.js'
import type { Clock } from '../../ports/clock.js'
import type { ReportDamage } from '../../ports/notice.js'
import type { ArchivedStore } from '../../ports/store.js'
import { counted, UsageError, withProgress, writeTo } from '../command.js'
import { type FileFailed, mustExist, type Result, storeCommand } from '../store-command.js'

/** Writes to a new file, synced to disk; removes the file if the texts or the disk fail. */
export const writeExport = (path: string, texts: AsyncIterable<string>): TaskEither<FileFailed, void> =>
  TE.tryCatch(
    async () => {
      // never overwrites a file, which may be another export
      const file = await open(path, 'wx', 0o600)
      try {
        await pipeline(texts, file.createWriteStream({ flush: true }))
        await syncToDisk(dirname(path))
      } catch (error) {
        // if this fails too, why the export failed matters more
        await rm(path).catch(() => {})
        throw error
      }
    },
    (error) => {
      const isThere = memberOf(error, 'code') === 'EEXIST'
      const reason = isThere ? 'exists already' : asError(error).message
      return { _tag: 'FileFailed', file: path, reason }
    },
  )

/** Rejects with `ResultLost`. */
const printAll = async (texts: AsyncIterable<string>): Promise<E.Either<never, void>> => {
  for await (const text of texts) await writeTo('stdout', text)
  return E.right(undefined)
}

interface Exported {
  readonly counts: ExportPart['counts']
  readonly damaged: number
}

const writeAll = async (
  store: ArchivedStore,
  clock: Clock,
  path: string | undefined,
  reportDamage: ReportDamage,
  advance: (value: number, total: number) => void,
): Promise<E.Either<Unavailable | FileFailed, Exported>> => {
  let exported: Exported = { counts: { apiKeys: 0, pets: 0, idempotencyKeys: 0 }, damaged: 0 }
  let failure: Unavailable | undefined
  const texts = async function* () {
    for await (const part of exportStore({ ...store, clock })()) {
      if (E.isLeft(part)) {
        failure = part.left
        // a file must not look complete
        if (path !== undefined) throw new Error('the store failed')
        return
      }
      const { text, counts, damaged, total } = part.right
      yield text
      damaged.forEach(reportDamage)
      exported = { counts, damaged: exported.damaged + damaged.length }
      advance(counts.apiKeys + counts.pets + counts.idempotencyKeys, total)
    }
  }
  const written = await (path === undefined ? printAll(texts()) : writeExport(path, texts())())
  if (failure !== undefined) return E.left(failure)
  return E.map(() => exported)(written)
}

const resultOf = ({ counts, damaged }: Exported, path: string | undefined): Result => {
  const { apiKeys, pets, idempotencyKeys } = counts
  const summary = `exported ${counted(pets, 'pet')}, ${counted(apiKeys, 'API key')}, ${counted(idempotencyKeys, 'idempotency key')}`
  return {
    json: { ...counts, damaged },
    ...(path === undefined ? { heading: summary, lines: [] } : { lines: [`${summary} to ${path}`] }),
    ...(damaged > 0 && {
      warning: `damaged records that are left out: ${damaged}`,
      isIncomplete: true,
    }),
  }
}

export const exportTo =
  (path: string | undefined, clock: Clock) =>
  (store: ArchivedStore, reportDamage: ReportDamage): TaskEither<Unavailable | FileFailed, Result> =>
  async () => {
    // a progress bar would garble an export that is printed to the same terminal
    const isShown = path !== undefined || !process.stdout.isTTY
    const exported = await withProgress('records', (advance) =>
      writeAll(store, clock, path, reportDamage, isShown ? advance : () => {}),
    )
    return E.map((all: Exported) => resultOf(all, path))(exported)
  }

export const exportCommand = storeCommand({
  usage: 'export [FILE]',
  summary: 'write all pets, keys and the position of the relay as JSON Lines to the new FILE, or to stdout',
  optionalOperands: 1,
  plan: ({ positionals: [path], json }, _config, clock) => {
    if (json && path === undefined)
      throw new UsageError('--json: wanted a FILE, because the export itself is on stdout')
    if (path !== undefined) mustExist('folder', dirname(resolve(path)))
    return exportTo(path, clock)
  },
})
