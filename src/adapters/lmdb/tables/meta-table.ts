// The state of the store as a whole: the counter of ids, the id of the log, and the record of the relay.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { RelayRecord } from '../../../domain/events/relay-record.js'
import { decodeStored, storedAs } from './stored-json.js'
import type { ReadableTables } from './tables.js'

/** The key of the last id drawn, stored as decimal digits. */
export const COUNTER_KEY = 'counter'
export const RELAY_KEY = 'relay'

type Meta = Pick<ReadableTables, 'meta'>

/** The last id that was drawn, if the counter is there; the reason if it is damaged. */
export const countedId = ({ meta }: Meta): E.Either<string, O.Option<bigint>> => {
  const text = meta.get(COUNTER_KEY)?.toString()
  if (text === undefined) return E.right(O.none)
  return /^\d{1,16}$/.test(text)
    ? E.right(O.some(BigInt(text)))
    : E.left(`the counter of ids is not a number: ${JSON.stringify(text)}`)
}

/** The highest id of a stored pet; 0 if there is none. */
export const highestStoredId = ({ pets }: Pick<ReadableTables, 'pets'>): bigint => {
  for (const id of pets.getKeys({ reverse: true, limit: 1 })) return BigInt(id)
  return 0n
}

/** The last id that was drawn or is stored; the reason if the counter is damaged. A counter is behind the pets only if it was lost. */
export const lastDrawnId = (tables: Pick<ReadableTables, 'meta' | 'pets'>): E.Either<string, bigint> => {
  const stored = highestStoredId(tables)
  return E.map((counted: O.Option<bigint>) => (O.isSome(counted) && counted.value > stored ? counted.value : stored))(
    countedId(tables),
  )
}

/** The record of the relay, if one has ever run; the reason if it is damaged. */
export const storedRelay = ({ meta }: Meta): E.Either<string, O.Option<RelayRecord>> =>
  E.mapLeft((reason: string) => `the record of the relay is damaged: ${reason}`)(
    storedAs(meta.get(RELAY_KEY), (bytes) => decodeStored(RelayRecord, bytes)),
  )
