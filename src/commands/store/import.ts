// animal-store import [FILE]: fills a store that has no pets with an export. Run again after a cut, it passes over what is there.

import { accessSync, constants, createReadStream } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import {
  type ImportProgress,
  importStore,
  type LineRefused,
  NO_TALLIES,
  type Tally,
} from '../../domain/archive/import-store.js'
import type { Unavailable } from '../../domain/errors.js'
import { asError } from '../../domain/thrown.js'
import type { Clock } from '../../ports/clock.js'
import type { ArchivedStore } from '../../ports/store.js'
import { withProgress } from '../command.js'
import { mustExist, type Result, storeCommand } from '../store-command.js'

const importAll = async (
  store: ArchivedStore,
  clock: Clock,
  input: AsyncIterable<Uint8Array>,
  advance: (value: number, total: number) => void,
): Promise<E.Either<LineRefused | Unavailable, ImportProgress['tallies']>> => {
  let imported: ImportProgress['tallies'] = NO_TALLIES
  for await (const progress of importStore({ ...store, clock })(readLines(input))) {
    if (E.isLeft(progress)) return progress
    const { tallies, done, total } = progress.right
    imported = tallies
    advance(done, total)
  }
  return E.right(imported)
}

const line = (things: string, { added, unchanged }: Tally): string =>
  `${things}: ${added} added, ${unchanged} unchanged`

const resultOf = ({ apiKeys, pets, idempotencyKeys }: ImportProgress['tallies']): Result => ({
  json: { apiKeys: { ...apiKeys }, pets: { ...pets }, idempotencyKeys: { ...idempotencyKeys } },
  lines: [line('pets', pets), line('API keys', apiKeys), line('idempotency keys', idempotencyKeys)],
})

const importFrom =
  (path: string | undefined, clock: Clock) =>
  (store: ArchivedStore): TaskEither<LineRefused | Unavailable, Result> =>
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
  summary: 'fill a store without pets with an export from FILE or stdin; run it again after a cut',
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
    yield E.left(`it cannot be read: ${asError(error).message}`)
  }
}
