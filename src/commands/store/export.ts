// animal-store export [FILE]: writes the whole store as JSON Lines, to a new file with mode 0600 or to stdout.

import { writeFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { createWhole } from '../../adapters/sqlite/file/new-file.js'
import { type ExportPart, exportStore } from '../../domain/archive/export-store.js'
import type { Unavailable } from '../../domain/errors.js'
import { asError, memberOf } from '../../domain/thrown.js'
import { visibleJson } from '../../domain/visible.js'
import type { Clock } from '../../ports/clock.js'
import type { ArchivedStore } from '../../ports/store.js'
import { type Advance, counted, UsageError, withProgress, writeTo } from '../command.js'
import { type Damages, nameMayBeLost, type Result, storeCommand } from '../store-command.js'

/**
 * Writes a new file, synced to disk; leaves none behind on failure. Returns why its name could not be synced, if so.
 * Rejects with an error that names the file.
 */
export const writeExport = async (path: string, texts: AsyncIterable<string>): Promise<string | undefined> => {
  try {
    return await createWhole(path, async ({ handle }) => {
      for await (const text of texts) writeFileSync(handle, text)
    })
  } catch (error) {
    if (memberOf(error, 'code') === 'EEXIST') throw new Error(`${path}: exists already`, { cause: error })
    throw new Error(`${path}: ${asError(error).message}`, { cause: error })
  }
}

const resultOf = ({ apiKeys, pets, idempotencyKeys }: ExportPart['counts'], damaged: number, path?: string): Result => {
  const summary = `exported ${counted(pets, 'pet')}, ${counted(apiKeys, 'API key')}, ${counted(idempotencyKeys, 'idempotency key')}`
  return {
    json: { apiKeys, pets, idempotencyKeys, damaged },
    ...(path === undefined ? { heading: summary, lines: [] } : { lines: [`${summary} to ${path}`] }),
    ...(damaged > 0 && { incomplete: `damaged records that are left out: ${damaged}` }),
  }
}

export const exportTo =
  (path: string | undefined, clock: Clock) =>
  (store: ArchivedStore, damages: Damages): TaskEither<Unavailable, Result> =>
  async () => {
    let exported: ExportPart['counts'] = { apiKeys: 0, pets: 0, idempotencyKeys: 0 }
    let failure: Unavailable | undefined
    const texts = async function* (advance: Advance) {
      for await (const part of exportStore({ ...store, clock })()) {
        if (E.isLeft(part)) {
          failure = part.left
          // throws, so that no file is left that looks complete
          throw asError(failure.cause)
        }
        const { text, counts, damaged } = part.right
        yield text
        damaged.forEach(damages.report)
        exported = counts
        advance(counts.apiKeys + counts.pets + counts.idempotencyKeys)
      }
    }
    const write = async (all: AsyncIterable<string>): Promise<string | undefined> => {
      if (path !== undefined) return writeExport(path, all)
      for await (const text of all) await writeTo('stdout', process.stdout.isTTY ? visibleJson(text) : text)
      return undefined
    }
    // a progress bar would garble an export that is printed to the same terminal
    const isShown = path !== undefined || !process.stdout.isTTY
    try {
      const unsynced = await withProgress('{value} records', (advance) => write(texts(isShown ? advance : () => {})))
      const warning = path && unsynced && nameMayBeLost(path, unsynced)
      return E.right({ ...resultOf(exported, damages.count(), path), warning })
    } catch (error) {
      if (failure === undefined) throw error
      return E.left(failure)
    }
  }

export const exportCommand = storeCommand({
  usage: 'export [FILE]',
  summary: 'write all pets, keys and the position of the relay as JSON Lines to the new FILE, or to stdout',
  plan: ({ positionals: [path], json }, clock) => {
    if (json && path === undefined)
      throw new UsageError('--json: wanted a FILE, because the export itself is on stdout')
    return exportTo(path, clock)
  },
})
