// Parses the query string of a list into a PetQuery, or returns the first invalid parameter.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { int64FromPlainText, MAX_INT64, MIN_INT64 } from '../../../domain/codecs/int64.js'
import { POSITION_RULE } from '../../../domain/events/read-feed.js'
import { DEFAULT_LIMIT, LIMIT_RULE, type Limit, LimitFromString } from '../../../domain/pets/limit.js'
import { PET_STATUSES, PetStatus } from '../../../domain/pets/pet.js'
import { MAX_IDS, type PetFilter, type PetQuery } from '../../../domain/pets/pet-query.js'
import type { HttpFailure } from '../http-failure.js'
import type { HttpRequest } from '../messages/request.js'
import { decodeCursor } from './cursor.js'

type Parsed<A> = E.Either<HttpFailure, A>

const LONGEST_ECHO = 64

const invalid = (name: string, rule: string, sent: string): Parsed<never> =>
  E.left({ _tag: 'InvalidParameter', reason: `${name} ${rule}; got ${JSON.stringify(sent.slice(0, LONGEST_ECHO))}` })

interface Parameter<A> {
  readonly name: string
  /** Quoted by a refusal. */
  readonly rule: string
  readonly decode: (text: string) => Parsed<A>
}

const parameter = <A>(name: string, rule: string, decode: (text: string) => O.Option<A>): Parameter<A> => ({
  name,
  rule,
  decode: (text) =>
    pipe(
      decode(text),
      O.match(() => invalid(name, rule, text), E.right<HttpFailure, A>),
    ),
})

const LIMIT = parameter('limit', LIMIT_RULE, (text) => O.fromEither(LimitFromString.decode(text)))
const STATUS = parameter('status', `must be one of ${PET_STATUSES.join(', ')}`, O.fromPredicate(PetStatus.is))
const ID = parameter('id', `must be an integer from ${MIN_INT64} to ${MAX_INT64}`, int64FromPlainText)
const AFTER = parameter('after', POSITION_RULE, O.some)
const cursorFor = (filter: PetFilter): Parameter<bigint> => ({
  name: 'cursor',
  rule: 'must be one that this list issued',
  decode: (text) =>
    pipe(
      decodeCursor(text, filter),
      E.fromOption((): HttpFailure => ({ _tag: 'InvalidCursor' })),
    ),
})

/** The parameters of a query. A `?` at its beginning belongs to the first name; URLSearchParams would drop it. */
export const parametersOf = ({ query }: Pick<HttpRequest, 'query'>): URLSearchParams => new URLSearchParams(`?${query}`)

/** The value of a parameter that may be absent but not repeated. */
const single = <A>(parameters: URLSearchParams, { name, rule, decode }: Parameter<A>): Parsed<O.Option<A>> => {
  const values = parameters.getAll(name)
  const [value, ...more] = values
  if (value === undefined) return E.right(O.none)
  return more.length > 0
    ? invalid(name, `${rule}, and given once`, values.join(', '))
    : pipe(
        decode(value),
        E.map((decoded) => O.some(decoded)),
      )
}

/** The page size of any list; 20 by default. */
export const limitOf = (parameters: URLSearchParams): Parsed<Limit> =>
  pipe(single(parameters, LIMIT), E.map(O.getOrElse(() => DEFAULT_LIMIT)))

/** The position of a client in the feed, as sent. */
export const positionOf = (parameters: URLSearchParams): Parsed<O.Option<string>> => single(parameters, AFTER)

const idsOf = (parameters: URLSearchParams): Parsed<O.Option<readonly bigint[]>> => {
  const texts = parameters.getAll('id')
  if (texts.length === 0) return E.right(O.none)
  if (texts.length > MAX_IDS) return invalid('id', `may be given ${MAX_IDS} times at most`, `${texts.length} times`)
  return pipe(texts, E.traverseArray(ID.decode), E.map(O.some))
}

/** The query in the query string. Unknown parameters are ignored. */
export const petQueryOf = (parameters: URLSearchParams): Parsed<PetQuery> => {
  const limit = limitOf(parameters)
  if (E.isLeft(limit)) return limit
  const status = single(parameters, STATUS)
  if (E.isLeft(status)) return status
  const ids = idsOf(parameters)
  if (E.isLeft(ids)) return ids
  const before = single(parameters, cursorFor({ status: status.right, ids: ids.right }))
  if (E.isLeft(before)) return before
  return E.right({ status: status.right, ids: ids.right, limit: limit.right, before: before.right })
}
