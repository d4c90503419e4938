// The lines of an export as text: one JSON object each (JSON Lines).
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import { Text } from '../codecs/guarded.js'
import { faultsText, struct } from '../codecs/struct.js'
import { parseExactJson } from '../json/parse-json.js'
import { type JsonValue, stringifyJson } from '../json/stringify-json.js'
import { type ArchiveLine, LINE_CODECS } from './archive-codecs.js'

const membersOf = (line: ArchiveLine): { readonly [name: string]: JsonValue | undefined } => {
  switch (line._tag) {
    case 'Header':
      return LINE_CODECS.Header.encode(line)
    case 'StoreState':
      return LINE_CODECS.StoreState.encode(line)
    case 'Relay':
      return LINE_CODECS.Relay.encode(line)
    case 'ApiKey':
      return LINE_CODECS.ApiKey.encode(line)
    case 'Pet':
      return LINE_CODECS.Pet.encode(line)
    case 'IdempotencyKey':
      return LINE_CODECS.IdempotencyKey.encode(line)
    case 'End':
      return LINE_CODECS.End.encode(line)
  }
}

/**
 * The line with its line feed. Integers are written digit for digit.
 *
 * @example
 * archiveLineText({ _tag: 'End', apiKeys: 1, pets: 2, idempotencyKeys: 0 })
 * // => '{"kind":"end","apiKeys":1,"pets":2,"idempotencyKeys":0}\n'
 */
export const archiveLineText = (line: ArchiveLine): string =>
  `${stringifyJson({ kind: LINE_CODECS[line._tag].kind, ...membersOf(line) })}\n`

const Kind = struct('line', { kind: Text }, {})
const codecs = Object.values(LINE_CODECS)

const decode = (json: unknown): E.Either<string, ArchiveLine> => {
  const line = Kind.decode(json)
  if (E.isLeft(line)) return E.left(faultsText(line.left))
  const codec = codecs.find(({ kind }) => kind === line.right.kind)
  if (codec === undefined) return E.left(`/kind: must be one of ${codecs.map(({ kind }) => kind).join(', ')}`)
  const decoded: E.Either<t.Errors, ArchiveLine> = codec.decode(json)
  return E.mapLeft(faultsText)(decoded)
}

/**
 * Decodes a line, or returns the reason why it is invalid.
 *
 * @example
 * archiveLineFrom('{"kind":"end"') // => E.left('it is not well-formed')
 */
export const archiveLineFrom = (text: string): E.Either<string, ArchiveLine> =>
  pipe(
    parseExactJson(text),
    E.mapLeft(({ reason }) => reason),
    E.flatMap(decode),
  )
