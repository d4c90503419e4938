// animal-store import [FILE]: fills a store without pets from an export. Can be run again after an interruption.

import { accessSync, constants, createReadStream, openSync, type ReadStream, statSync } from 'node:fs'
import { dirname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { asOwnerOf } from '../../adapters/sqlite/file/owner.js'
import type { Counts } from '../../domain/archive/export-store.js'
import { importStore } from '../../domain/archive/import-store.js'
import { withProgress } from '../command.js'
import { storeCommand } from '../store-command.js'

const LINE_FEED = 0x0a

/** Maximum length of a line in bytes: 100 times that of the longest pet. */
const MAX_LINE_BYTES = 1_048_576

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decode = (bytes: Uint8Array): E.Either<string, string> =>
  E.tryCatch(
    () => utf8.decode(bytes),
    () => 'it is not valid UTF-8',
  )

/** Each line without its line feed, or why it cannot be read; the last one may lack its line feed. */
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

/** As the owner of its folder, if root reads it. */
const openedFile = (path: string): ReadStream =>
  createReadStream(path, { fd: asOwnerOf(dirname(path), () => openSync(path, 'r')) })

const NOTHING: Counts = { apiKeys: 0, pets: 0, idempotencyKeys: 0 }

export const importCommand = storeCommand({
  usage: 'import [FILE]',
  summary: 'fill a store without pets with an export from FILE or stdin; run it again if it was interrupted',
  createsStore: true,
  plan: ({ positionals: [path] }) => {
    // checked first, so that no store is created for an unreadable file
    if (path !== undefined) {
      accessSync(path, constants.R_OK)
      if (statSync(path).isDirectory()) throw new Error(`${path} is a folder`)
    }
    return (store) => () =>
      withProgress('{value} records', async (advance) => {
        let [all, added] = [NOTHING, NOTHING]
        const input = path === undefined ? process.stdin : openedFile(path)
        for await (const progress of importStore(store)(linesOf(input))) {
          if (E.isLeft(progress)) return progress
          const { read } = progress.right
          ;[all, added] = [read, progress.right.added]
          advance(read.apiKeys + read.pets + read.idempotencyKeys)
        }
        const of = (kind: keyof Counts) => ({ added: added[kind], unchanged: all[kind] - added[kind] })
        const [apiKeys, pets, idempotencyKeys] = [of('apiKeys'), of('pets'), of('idempotencyKeys')]
        const line = (things: string, tally: typeof pets): string =>
          `${things}: ${tally.added} added, ${tally.unchanged} unchanged`
        return E.right({
          json: { apiKeys, pets, idempotencyKeys },
          lines: [line('pets', pets), line('API keys', apiKeys), line('idempotency keys', idempotencyKeys)],
        })
      })
  },
})
