// Reads pets out of their table; a damaged one is reported and treated as absent.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { MAX_PET_ID } from '../../../domain/pet.js'
import type { PetCreated } from '../../../domain/pet-created.js'
import type { ReportDamage } from '../../../ports/damage-report.js'
import { decodePetRecord } from './pet-record.js'
import type { Tables } from './tables.js'

/** A number is the key of a pet only from 1 to 2^53-1; any other id is nobody's. */
export const keyOf = (id: bigint): O.Option<number> => (id >= 1n && id <= MAX_PET_ID ? O.some(Number(id)) : O.none)

/** The event of a pet that the id, or an index, says to be there. */
export type FindEvent = (tables: Tables, id: number) => O.Option<PetCreated>

/** How many decoded records are kept: a few pages of each kind, a few megabytes. */
const REMEMBERED = 4_096

/** Decodes a record once as long as its bytes stay the same, for a list asks for the same pets again and again. */
const rememberDecoded = (decode: typeof decodePetRecord): typeof decodePetRecord => {
  const remembered = new Map<number, { readonly bytes: Uint8Array; readonly event: E.Either<string, PetCreated> }>()
  return (id, bytes) => {
    const last = remembered.get(id)
    if (last !== undefined && Buffer.compare(last.bytes, bytes) === 0) return last.event
    const event = decode(id, bytes)
    // a map keeps the order of insertion: its first entry is the oldest
    const [oldest] = remembered.size < REMEMBERED ? [] : remembered.keys()
    if (oldest !== undefined) remembered.delete(oldest)
    remembered.set(id, { bytes, event })
    return event
  }
}

export const findEventWith = (reportDamage: ReportDamage): FindEvent => {
  const decode = rememberDecoded(decodePetRecord)
  return (tables, id) => {
    const bytes = tables.pets.get(id)
    if (bytes === undefined) return O.none
    const event = decode(id, bytes)
    if (E.isRight(event)) return O.some(event.right)
    reportDamage({ record: 'pet', id: String(id), reason: event.left })
    return O.none
  }
}
