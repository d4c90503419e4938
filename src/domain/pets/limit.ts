// The page size of a list: a number that is in bounds, by its type.
import * as t from 'io-ts'
import { guarded } from '../codecs/guarded.js'

export const MIN_LIMIT = 1
export const MAX_LIMIT = 100

type Below<N extends number, Numbers extends number[] = []> = Numbers['length'] extends N
  ? Numbers[number]
  : Below<N, [...Numbers, Numbers['length']]>

/** How many pets a page holds at most: one of the integers from 1 to 100. */
export type Limit = Exclude<Below<typeof MAX_LIMIT>, 0> | typeof MAX_LIMIT

export const DEFAULT_LIMIT: Limit = 20

const isLimit = (u: unknown): u is Limit =>
  typeof u === 'number' && Number.isInteger(u) && u >= MIN_LIMIT && u <= MAX_LIMIT

export const LIMIT_RULE = `must be an integer from ${MIN_LIMIT} to ${MAX_LIMIT}`

/** An integer from 1 to 100. */
export const Limit = guarded<Limit, number>('Limit', isLimit, LIMIT_RULE)

const PLAIN = /^[1-9]\d{0,2}$/

/** The page size from its plain text: `+5`, `05`, `5.0` and `1e1` are refused. */
export const LimitFromString = new t.Type<Limit, string, unknown>(
  'LimitFromString',
  isLimit,
  (u, context) => {
    const limit = typeof u === 'string' && PLAIN.test(u) ? Number(u) : undefined
    return isLimit(limit) ? t.success(limit) : t.failure(u, context, LIMIT_RULE)
  },
  String,
)
