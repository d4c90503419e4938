// animal-store import [FILE]: imports an export into the store. A second run skips what the first one has imported.

import { accessSync, constants, createReadStream } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import {
  type ImportProgress,
  importStore,
  NO_TALLIES,
  type RefusedRecord,
  type Tally,
} from '../../domain/archive/import-store.js'
import type { Clock } from '../../ports/clock.js'
import type { ArchivedStore } from '../../ports/store.js'
import { type ImportStopped, MAX_LISTED, mustExist, type Result, storeCommand } from '../store-command.js'
import { withProgress } from './progress.js'

interface Imported {
  readonly tallies: ImportProgress['tallies']
  readonly named: readonly RefusedRecord[]
}

const stopped = (because: ImportStopped['because']): E.Either<ImportStopped, never> =>
  E.left({ _tag: 'ImportStopped', because })

const importAll = async (
  store: ArchivedStore,
  clock: Clock,
  input: AsyncIterable<Uint8Array>,
  advance: (value: number, total: number) => void,
): Promise<E.Either<ImportStopped, Imported>> => {
  let imported: Imported = { tallies: NO_TALLIES, named: [] }
  for await (const progress of importStore({ ...store, clock })(readLines(input))) {
    if (E.isLeft(progress)) return stopped(progress.left)
    const { tallies, refused, done, total } = progress.right
    imported = { tallies, named: [...imported.named, ...refused].slice(0, MAX_LISTED) }
    advance(done, total)
  }
  return E.right(imported)
}

const line = (things: string, { added, unchanged, updated, refused }: Tally): string =>
  `${things}: ${added} added, ${updated} updated, ${unchanged} unchanged, ${refused} refused`

const resultOf = ({ tallies, named }: Imported): Result => {
  const { apiKeys, pets, idempotencyKeys } = tallies
  const refused = apiKeys.refused + pets.refused + idempotencyKeys.refused
  const lines = named.map(({ record, id, reason }) => `refused ${record} ${id}: ${reason}`)
  return {
    json: { apiKeys, pets, idempotencyKeys, refused: named.map((record) => ({ ...record })) },
    lines: [line('pets', pets), line('API keys', apiKeys), line('idempotency keys', idempotencyKeys)],
    ...(refused > 0 && {
      warning: [...lines, `${refused} refused: the store has different records`].join('\n'),
      isIncomplete: true,
    }),
  }
}

const importFrom =
  (path: string | undefined, clock: Clock) =>
  (store: ArchivedStore): TaskEither<ImportStopped, Result> =>
  async () => {
    // opened only now: no store, no open file
    const input = path === undefined ? process.stdin : createReadStream(path)
    const imported = await withProgress('records', (advance) => importAll(store, clock, input, advance))
    return E.map(resultOf)(imported)
  }

/** Throws before a store is made for a file that cannot be read. */
const readable = (path: string): string => {
  mustExist('file', path)
  accessSync(path, constants.R_OK)
  return path
}

export const importCommand = storeCommand({
  usage: 'import [FILE]',
  summary: 'import an export from FILE or stdin; safe to repeat, never overwrites a different record',
  optionalOperands: 1,
  createsStore: true,
  plan: ({ positionals: [path] }, _config, clock) => importFrom(path && readable(path), clock),
})

const LINE_FEED = 0x0a

/** The longest line that is read, in bytes: a hundred times that of the longest pet. */
const MAX_LINE_BYTES = 1_048_576

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decode = (bytes: Uint8Array): E.Either<string, string> =>
  E.tryCatch(
    () => utf8.decode(bytes),
    () => 'it is not valid UTF-8',
  )

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<E.Either<string, string>> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      yield decode(bytes.subarray(start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > MAX_LINE_BYTES) {
      yield E.left(`it is longer than ${MAX_LINE_BYTES} bytes`)
      return
    }
  }
  if (rest.length > 0) yield decode(rest)
}

/** Each line without its line feed, or why it cannot be read; the last one may lack its line feed. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<E.Either<string, string>> {
  try {
    yield* linesOf(chunks)
  } catch (error) {
    yield E.left(`it cannot be read: ${E.toError(error).message}`)
  }
}
