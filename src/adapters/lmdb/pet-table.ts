// Reads pets out of their table; a damaged one is reported and treated as absent.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { MAX_PET_ID } from '../../domain/pet.js'
import type { PetCreated } from '../../domain/pet-created.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import { decodePetRecord } from './pet-record.js'
import type { Tables } from './tables.js'

/** A number is the key of a pet only from 1 to 2^53-1; any other id is nobody's. */
export const keyOf = (id: bigint): O.Option<number> => (id >= 1n && id <= MAX_PET_ID ? O.some(Number(id)) : O.none)

/** The event of a pet that the id, or an index, says to be there. */
export type FindEvent = (tables: Tables, id: number) => O.Option<PetCreated>

export const findEventWith = (reportDamage: ReportDamage): FindEvent => {
  const damaged = (id: number, reason: string): O.Option<never> => {
    reportDamage({ record: 'pet', id: String(id), reason })
    return O.none
  }
  return (tables, id) => {
    const bytes = tables.pets.get(id)
    if (bytes === undefined) return O.none
    return pipe(
      decodePetRecord(id, bytes),
      E.match((reason) => damaged(id, reason), O.some),
    )
  }
}
