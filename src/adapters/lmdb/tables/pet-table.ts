// Reads and writes pets. A pet that cannot be decoded is reported and treated as absent.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Stored } from '../../../domain/archive/decide-merge.js'
import type { PetCreated } from '../../../domain/events/domain-event.js'
import { MAX_PET_ID, type Pet } from '../../../domain/pets/pet.js'
import type { ReportDamage } from '../../../ports/notice.js'
import { decodePetRecord, encodePetRecord } from './pet-record.js'
import { storedAs } from './stored-json.js'
import { KEY_ONLY, type ReadableTables, type Tables } from './tables.js'

/** Whether a pet can have this id, so that its number is a key. */
export const isKey = (id: bigint): boolean => id >= 1n && id <= MAX_PET_ID

/** Number of decoded records in memory: a few pages of each list, a few megabytes. */
const CACHED_RECORDS = 4_096

/** Damaged pets that this process remembers; exact counts include any others. */
const MAX_DAMAGED = 10_000

export interface PetReader {
  readonly find: (tables: Tables, id: bigint) => O.Option<Pet>
  /** The damaged pets that it has met. */
  readonly damaged: ReadonlySet<number>
}

export const makePetReader = (reportDamage: ReportDamage): PetReader => {
  const damaged = new Set<number>()
  // lists read the same pets repeatedly
  const cached = new Map<number, { readonly bytes: Uint8Array; readonly event: E.Either<string, PetCreated> }>()

  const decode: typeof decodePetRecord = (id, bytes) => {
    const last = cached.get(id)
    if (last !== undefined && Buffer.compare(last.bytes, bytes) === 0) return last.event
    const event = decodePetRecord(id, bytes)
    // a map keeps the order of insertion: its first entry is the oldest
    const [oldest] = cached.size < CACHED_RECORDS ? [] : cached.keys()
    if (oldest !== undefined) cached.delete(oldest)
    cached.set(id, { bytes, event })
    return event
  }

  const find = (tables: Tables, id: bigint): O.Option<Pet> => {
    const key = Number(id)
    const bytes = isKey(id) ? tables.pets.get(key) : undefined
    if (bytes === undefined) return O.none
    const event = decode(key, bytes)
    if (E.isRight(event)) {
      damaged.delete(key)
      return O.some(event.right.pet)
    }
    if (damaged.size < MAX_DAMAGED) damaged.add(key)
    reportDamage({ record: 'pet', id: String(id), reason: event.left })
    return O.none
  }

  return { find, damaged }
}

/** The stored event of a pet. */
export const storedEvent = ({ pets }: Pick<ReadableTables, 'pets'>, id: number): Stored<PetCreated> =>
  storedAs(pets.get(id), (bytes) => decodePetRecord(id, bytes))

export const putPet = (tables: Tables, event: PetCreated): void => {
  const { id, status } = event.pet
  tables.pets.putSync(Number(id), encodePetRecord(event))
  if (status !== undefined) tables.byStatus[status].putSync(Number(id), KEY_ONLY)
}
