// Reads and writes pets. A pet that cannot be decoded is reported and treated as absent.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Stored } from '../../../domain/archive/decide-merge.js'
import type { PetCreated } from '../../../domain/events/domain-event.js'
import { MAX_PET_ID, type Pet, type PetStatus } from '../../../domain/pets/pet.js'
import { setWithin } from '../../../domain/set-within.js'
import type { ReportDamage } from '../../../ports/notice.js'
import { decodePetRecord, encodePetRecord } from './pet-record.js'
import { storedAs } from './stored-json.js'
import { KEY_ONLY, type ReadableTables, type Tables } from './tables.js'

/** Whether a pet can have this id, so that its number is a key. */
export const isKey = (id: bigint): boolean => id >= 1n && id <= MAX_PET_ID

/** Number of decoded pets in memory: a few pages of each list, a few megabytes. */
const CACHED_PETS = 4_096

/** Damaged pets that this process remembers; exact counts include any others. */
const MAX_DAMAGED = 10_000

export interface PetReader {
  /** For any tables, also those of a transaction that may be rolled back. */
  readonly read: (tables: Tables, id: number) => O.Option<Pet>
  /** For committed pets only: a pet never changes, so it is read from the table once as long as it is remembered. */
  readonly find: (tables: Tables, id: number) => O.Option<Pet>
  /** The damaged pets that it has met. */
  readonly damaged: ReadonlySet<number>
}

export const makePetReader = (reportDamage: ReportDamage): PetReader => {
  const damaged = new Set<number>()
  const cached = new Map<number, O.Option<Pet>>()

  const read = (tables: Tables, id: number): O.Option<Pet> => {
    const event = storedEvent(tables, id)
    if (E.isRight(event)) {
      damaged.delete(id)
      return O.map(({ pet }: PetCreated) => pet)(event.right)
    }
    if (damaged.size < MAX_DAMAGED) damaged.add(id)
    reportDamage({ record: 'pet', id: String(id), reason: event.left })
    return O.none
  }

  const find = (tables: Tables, id: number): O.Option<Pet> => {
    const known = cached.get(id)
    if (known !== undefined) return known
    const pet = read(tables, id)
    if (O.isNone(pet)) return pet
    setWithin(cached, CACHED_PETS, id, pet)
    return pet
  }

  return { read, find, damaged }
}

const inC = (name: string): Buffer => Buffer.from(`${name}\0`)
const ALL_PETS = inC('pets')
const OF_STATUS: Readonly<Record<PetStatus, Buffer>> = {
  available: inC('pets.available'),
  pending: inC('pets.pending'),
  sold: inC('pets.sold'),
}

/** Another text once there are more pets with this status, if given, and hardly any work: the record holds the number of entries. */
export const versionOf = ({ names }: Pick<Tables, 'names'>, status: O.Option<PetStatus>): string | undefined =>
  names.get(O.isSome(status) ? OF_STATUS[status.value] : ALL_PETS)?.toString('latin1')

/** The stored event of a pet. */
export const storedEvent = ({ pets }: Pick<ReadableTables, 'pets'>, id: number): Stored<PetCreated> =>
  storedAs(pets.get(id), (bytes) => decodePetRecord(id, bytes))

export const putPet = (tables: Tables, event: PetCreated): void => {
  const { id, status } = event.pet
  tables.pets.putSync(Number(id), encodePetRecord(event))
  if (status !== undefined) tables.byStatus[status].putSync(Number(id), KEY_ONLY)
}
