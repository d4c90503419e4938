// The state of the store as a whole: the counter of ids, and flags about events.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ReadableTables } from './snapshot.js'

/** The key of the last id drawn, stored as decimal digits. */
export const COUNTER_KEY = 'counter'
/** Present once a process on the folder has relayed events. */
export const RELAYED_KEY = 'relayed'
/** Present once any event was sent. */
export const HAS_SENT_KEY = 'events.sent'

/** The last id that was drawn, if the counter is there; the reason if it is damaged. */
export const countedId = ({ meta }: Pick<ReadableTables, 'meta'>): E.Either<string, O.Option<bigint>> => {
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
