// Reads and writes pets, each stored with its event. A pet that cannot be decoded is reported and treated as absent.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { Stored } from '../../../domain/archive/decide-import.js'
import { Text } from '../../../domain/codecs/guarded.js'
import { Instant } from '../../../domain/codecs/instant.js'
import { Int64FromString } from '../../../domain/codecs/int64.js'
import { struct } from '../../../domain/codecs/struct.js'
import { type PetCreated, TraceParent } from '../../../domain/events/domain-event.js'
import {
  MAX_PET_ID,
  type OPTIONAL_MEMBERS,
  type Pet,
  PetName,
  PetStatus,
  type REQUIRED_MEMBERS,
} from '../../../domain/pets/pet.js'
import { setBounded } from '../../../domain/set-bounded.js'
import type { ReportDamage } from '../../../ports/notice.js'
import { decodeStored, storedAs } from './stored-json.js'
import { KEY_ONLY, type ReadableTables, type Tables } from './tables.js'

// a new member of a pet does not compile until it is in one of these
const REQUIRED = { name: PetName, categoryId: Int64FromString } satisfies Record<keyof typeof REQUIRED_MEMBERS, t.Mixed>
const OPTIONAL = { status: PetStatus } satisfies Record<keyof typeof OPTIONAL_MEMBERS, t.Mixed>

/** Flat, with every int64 as text, because JSON numbers would be rounded. */
const StoredPet = struct(
  'StoredPet',
  { id: Int64FromString, ...REQUIRED, eventId: Text, time: Instant },
  { ...OPTIONAL, traceparent: TraceParent },
)
type StoredPet = t.OutputOf<typeof StoredPet>

/** Written by hand for the fixed shape: the generic encoder takes 3 µs more, a twentieth of a create (measured). */
export const encodePetRecord = ({ eventId, time, pet, traceparent }: PetCreated): Buffer => {
  const { id, name, categoryId, status } = pet
  // undefined members are left out
  const stored: { readonly [Member in keyof StoredPet]-?: StoredPet[Member] | undefined } = {
    id: String(id),
    name,
    categoryId: String(categoryId),
    eventId,
    time,
    status,
    traceparent,
  }
  return Buffer.from(JSON.stringify(stored))
}

/** The pet with its event, or the reason why the bytes are damaged or belong to another id. */
export const decodePetRecord = (id: number, bytes: Uint8Array): E.Either<string, PetCreated> =>
  pipe(
    decodeStored(StoredPet, bytes),
    E.filterOrElse(
      (stored) => stored.id === BigInt(id),
      (stored) => `/id: is ${stored.id}`,
    ),
    E.map(({ eventId, time, traceparent, ...pet }) => {
      const event = { _tag: 'PetCreated', eventId, time, pet } as const
      return traceparent === undefined ? event : { ...event, traceparent }
    }),
  )

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
    setBounded(cached, CACHED_PETS, id, pet)
    return pet
  }

  return { read, find, damaged }
}

export const storedEvent = ({ pets }: Pick<ReadableTables, 'pets'>, id: number): Stored<PetCreated> =>
  storedAs(pets.get(id), (bytes) => decodePetRecord(id, bytes))

export const putPet = (tables: Tables, event: PetCreated): void => {
  const { id, status } = event.pet
  tables.pets.putSync(Number(id), encodePetRecord(event))
  if (status !== undefined) tables.byStatus[status].putSync(Number(id), KEY_ONLY)
}
