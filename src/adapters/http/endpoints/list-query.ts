// Parses the query string of a list into a PetQuery or its first fault, and writes the link to the next page.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { int64FromPlainText, MAX_INT64, MIN_INT64 } from '../../../domain/codecs/scalar.js'
import { POSITION_RULE } from '../../../domain/events/read-feed.js'
import { PET_STATUSES, PetStatus } from '../../../domain/pets/pet.js'
import {
  DEFAULT_LIMIT,
  filterKey,
  LIMIT_RULE,
  type Limit,
  LimitFromString,
  MAX_IDS,
  type PetFilter,
  type PetQuery,
} from '../../../domain/pets/pet-query.js'
import type { Crypto } from '../../../ports/crypto.js'
import type { HttpFailure } from '../failures.js'
import type { HttpRequest } from '../messages/message.js'

type Sha256 = Crypto['sha256']

const POSITION_LENGTH = 16
const CHECK_LENGTH = 20
const FORM = /^[\da-f]{36}$/

const checkOf = (position: bigint, filter: PetFilter, sha256: Sha256): string =>
  sha256(`${position} ${filterKey(filter)}`).slice(0, CHECK_LENGTH)

/** The cursor for the pets of this filter with ids below `before`: that id and a checksum of both, in hexadecimal. */
const encodeCursor = (before: bigint, filter: PetFilter, sha256: Sha256): string =>
  BigInt.asUintN(64, before).toString(16).padStart(POSITION_LENGTH, '0') + checkOf(before, filter, sha256)

/** The position of a cursor; none if the cursor is malformed, altered or of another filter. */
const decodeCursor = (cursor: string, filter: PetFilter, sha256: Sha256): O.Option<bigint> => {
  if (!FORM.test(cursor)) return O.none
  const position = BigInt.asIntN(64, BigInt(`0x${cursor.slice(0, POSITION_LENGTH)}`))
  return checkOf(position, filter, sha256) === cursor.slice(POSITION_LENGTH) ? O.some(position) : O.none
}

type Parsed<A> = E.Either<HttpFailure, A>

interface Parameter<A> {
  readonly name: string
  /** For the message of a failure. */
  readonly rule: string
  readonly decode: (text: string) => O.Option<A>
}

const MAX_ECHO_LENGTH = 64

const invalid = (name: string, rule: string, sent: string): Parsed<never> =>
  E.left({ _tag: 'InvalidParameter', reason: `${name} ${rule}; got ${JSON.stringify(sent.slice(0, MAX_ECHO_LENGTH))}` })

const parameter = <A>(name: string, rule: string, decode: Parameter<A>['decode']): Parameter<A> => ({
  name,
  rule,
  decode,
})

const LIMIT = parameter('limit', LIMIT_RULE, (text) => O.fromEither(LimitFromString.decode(text)))
const STATUS = parameter('status', `must be one of ${PET_STATUSES.join(', ')}`, O.fromPredicate(PetStatus.is))
const ID = parameter('id', `must be an integer from ${MIN_INT64} to ${MAX_INT64}`, int64FromPlainText)
const AFTER = parameter('after', POSITION_RULE, O.some)
const CURSOR = parameter('cursor', 'must be one that this list issued', O.some)

/** The `?` is added because URLSearchParams drops the first one, which in a query belongs to the first name. */
export const parametersOf = ({ query }: Pick<HttpRequest, 'query'>): URLSearchParams => new URLSearchParams(`?${query}`)

const decoded = <A>({ name, rule, decode }: Parameter<A>, text: string): Parsed<A> => {
  const value = decode(text)
  return O.isSome(value) ? E.right(value.value) : invalid(name, rule, text)
}

/** The value of a parameter that may be absent but not repeated. */
const single = <A>(parameters: URLSearchParams, parameter: Parameter<A>): Parsed<O.Option<A>> => {
  const { name, rule } = parameter
  const [text, ...more] = parameters.getAll(name)
  if (text === undefined) return E.right(O.none)
  if (more.length > 0) return invalid(name, `${rule}, and given once`, [text, ...more].join(', '))
  return E.map(O.some<A>)(decoded(parameter, text))
}

/** The page size of any list; 20 by default. */
export const limitOf = (parameters: URLSearchParams): Parsed<Limit> =>
  pipe(single(parameters, LIMIT), E.map(O.getOrElse(() => DEFAULT_LIMIT)))

/** The position in the feed, as sent. */
export const positionOf = (parameters: URLSearchParams): Parsed<O.Option<string>> => single(parameters, AFTER)

const idsOf = (parameters: URLSearchParams): Parsed<O.Option<readonly bigint[]>> => {
  const texts = parameters.getAll('id')
  if (texts.length === 0) return E.right(O.none)
  if (texts.length > MAX_IDS) return invalid('id', `may be given ${MAX_IDS} times at most`, `${texts.length} times`)
  return pipe(
    texts,
    E.traverseArray((text) => decoded(ID, text)),
    E.map(O.some),
  )
}

/** Unknown parameters are ignored. */
export const petQueryOf = (parameters: URLSearchParams, sha256: Sha256): Parsed<PetQuery> => {
  const limit = limitOf(parameters)
  if (E.isLeft(limit)) return limit
  const status = single(parameters, STATUS)
  if (E.isLeft(status)) return status
  const ids = idsOf(parameters)
  if (E.isLeft(ids)) return ids
  const cursor = single(parameters, CURSOR)
  if (E.isLeft(cursor)) return cursor
  const query = { status: status.right, ids: ids.right, limit: limit.right }
  if (O.isNone(cursor.right)) return E.right({ ...query, before: O.none })
  const before = decodeCursor(cursor.right.value, query, sha256)
  return O.isNone(before) ? E.left({ _tag: 'InvalidCursor' }) : E.right({ ...query, before })
}

/** The query parameter of each filter member, repeated in the link to the next page. */
const FILTER_PARAMETERS: Readonly<Record<keyof PetFilter, string>> = { status: 'status', ids: 'id' }

/** A Link (RFC 8288) to the pets with smaller ids than this one, with the filter and limit as sent. */
export const nextLink = (
  baseUrl: string,
  sent: URLSearchParams,
  query: PetQuery,
  before: bigint,
  sha256: Sha256,
): string => {
  let text = `<${baseUrl}/pets?`
  for (const name of ['limit', ...Object.values(FILTER_PARAMETERS)]) {
    for (const value of sent.getAll(name)) text += `${name}=${encodeURIComponent(value)}&`
  }
  return `${text}cursor=${encodeCursor(before, query, sha256)}>; rel="next"`
}
