// Reads and writes pets. A pet that cannot be decoded is reported and treated as absent.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Stored } from '../../../domain/archive/decide-merge.js'
import type { PetCreated } from '../../../domain/events/domain-event.js'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import type { ReportDamage } from '../../../ports/notice.js'
import { decodePetRecord, encodePetRecord } from './pet-record.js'
import { storedAs } from './stored-json.js'
import { KEY_ONLY, type ReadableTables, type Tables } from './tables.js'

/** The key of a pet in its table; none for an id that no pet can have, outside 1 to 2^53-1. */
export const keyOf = (id: bigint): O.Option<number> => (id >= 1n && id <= MAX_PET_ID ? O.some(Number(id)) : O.none)

/** The event of the pet with this id. */
export type FindEvent = (tables: Tables, id: number) => O.Option<PetCreated>

/** Number of decoded records in memory: a few pages of each list, a few megabytes. */
const CACHED_RECORDS = 4_096

/** Caches decoded records by id and bytes, because lists read the same pets repeatedly. */
const cacheDecoded = (decode: typeof decodePetRecord): typeof decodePetRecord => {
  const cached = new Map<number, { readonly bytes: Uint8Array; readonly event: E.Either<string, PetCreated> }>()
  return (id, bytes) => {
    const last = cached.get(id)
    if (last !== undefined && Buffer.compare(last.bytes, bytes) === 0) return last.event
    const event = decode(id, bytes)
    // a map keeps the order of insertion: its first entry is the oldest
    const [oldest] = cached.size < CACHED_RECORDS ? [] : cached.keys()
    if (oldest !== undefined) cached.delete(oldest)
    cached.set(id, { bytes, event })
    return event
  }
}

/** Damaged pets that this process remembers; exact counts include any others. */
const MAX_DAMAGED = 10_000

/** `damaged`: gets the ids of damaged pets that are met. */
export const findEventWith = (reportDamage: ReportDamage, damaged: Set<number>): FindEvent => {
  const decode = cacheDecoded(decodePetRecord)
  return (tables, id) => {
    const bytes = tables.pets.get(id)
    if (bytes === undefined) return O.none
    const event = decode(id, bytes)
    if (E.isRight(event)) {
      damaged.delete(id)
      return O.some(event.right)
    }
    if (damaged.size < MAX_DAMAGED) damaged.add(id)
    reportDamage({ record: 'pet', id: String(id), reason: event.left })
    return O.none
  }
}

/** The stored event of a pet. */
export const storedEvent = ({ pets }: Pick<ReadableTables, 'pets'>, id: number): Stored<PetCreated> =>
  storedAs(pets.get(id), (bytes) => decodePetRecord(id, bytes))

export const putPet = (tables: Tables, event: PetCreated): void => {
  const { id, status } = event.pet
  tables.pets.putSync(Number(id), encodePetRecord(event))
  if (status !== undefined) tables.byStatus[status].putSync(Number(id), KEY_ONLY)
}
