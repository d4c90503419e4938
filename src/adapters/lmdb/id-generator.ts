// Ids from a counter that all processes on the folder share. LMDB runs one write transaction at a time.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { unavailable } from '../../domain/errors.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { IdGenerator } from '../../ports/id-generator.js'
import type { Environment, WriteResult } from './environment/environment.js'
import { COUNTER_KEY, countedId, highestStoredId } from './tables/meta-table.js'
import type { Tables } from './tables/tables.js'

const nextIn = (tables: Tables): WriteResult<bigint> => {
  const counter = countedId(tables)
  if (E.isLeft(counter)) return E.left(unavailable(new Error(counter.left)))
  const counted = O.getOrElse(() => 0n)(counter.right)
  const stored = highestStoredId(tables)
  // the counter is behind only if it was lost
  const last = counted > stored ? counted : stored
  if (last >= MAX_PET_ID) return E.left(unavailable(new Error('there are no more ids')))
  const id = last + 1n
  tables.meta.putSync(COUNTER_KEY, Buffer.from(String(id)))
  return E.right(id)
}

/**
 * Returns while the id's transaction is still open, so that the pet joins the same commit. Every later transaction reads this
 * counter or a higher one. If the commit fails, no pet has the id, and it may be drawn again.
 */
export const makeLmdbIdGenerator = (environment: Environment): IdGenerator => ({
  next: environment.writeUncommitted(nextIn),
})
