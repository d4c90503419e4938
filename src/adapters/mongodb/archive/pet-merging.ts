// Imports pets: one bulk insert, then one read of the ids already in use. A void gives way to its pet.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from 'mongodb'
import { isSameEvent, type PetArchived } from '../../../domain/archive/archive-record.js'
import { ADDED, refused, refusedAsDamaged, UNCHANGED } from '../../../domain/archive/merge-results.js'
import type { MergeResult } from '../../../ports/archive.js'
import { DURABLE_READ } from '../connection/durable-read.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { writeUnlessTaken } from '../connection/write-command.js'
import { decodeEvent, type PetDocument, petDocument } from '../documents/pet-document.js'
import { isVoid, VOIDS } from '../documents/void-document.js'
import { PETS } from '../schema/collections.js'

const idOf = ({ event }: PetArchived): bigint => event.pet.id

const documentOf = ({ event }: PetArchived): PetDocument => petDocument({ event, idempotencyKey: O.none })

const comparedWith = ({ event }: PetArchived, stored: PetDocument | undefined): MergeResult =>
  pipe(
    decodeEvent(stored),
    E.match(
      ({ reason }) => refusedAsDamaged(reason),
      (other) => (isSameEvent(event, other) ? UNCHANGED : refused('the store has another pet with this id')),
    ),
  )

const storedAt = async (database: Db, pets: readonly PetArchived[]): Promise<ReadonlyMap<string, PetDocument>> => {
  const filter = { _id: { $in: pets.map(idOf) } }
  const found = await repeatStep(() => database.collection<PetDocument>(PETS).find(filter, DURABLE_READ).toArray())
  return new Map(found.map((document) => [String(document._id), document]))
}

/** Replaces voids; another import may do so at the same time, with other pets. */
const replaceVoids = async (database: Db, pets: readonly PetArchived[]): Promise<readonly MergeResult[]> => {
  if (pets.length === 0) return []
  const updates = pets.map((pet) => ({ q: { _id: idOf(pet), ...VOIDS }, u: documentOf(pet) }))
  await repeatStep(() => writeUnlessTaken(database, { update: PETS, updates }))
  const stored = await storedAt(database, pets)
  return pets.map((pet) => {
    const compared = comparedWith(pet, stored.get(String(idOf(pet))))
    return compared === UNCHANGED ? ADDED : compared
  })
}

/** One result for each pet. An insert whose reply was lost finds its own documents and counts them as unchanged. */
export const mergePets = async (database: Db, pets: readonly PetArchived[]): Promise<readonly MergeResult[]> => {
  if (pets.length === 0) return []
  const documents = pets.map(documentOf)
  const inUse = await repeatStep(() => writeUnlessTaken(database, { insert: PETS, documents }))
  if (inUse.size === 0) return pets.map(() => ADDED)
  const stored = await storedAt(
    database,
    pets.filter((_, at) => inUse.has(at)),
  )
  const isReplaced = (pet: PetArchived, at: number): boolean => {
    const document = stored.get(String(idOf(pet)))
    return inUse.has(at) && document !== undefined && isVoid(document)
  }
  const replaced = pets.filter(isReplaced)
  const results = new Map(
    (await replaceVoids(database, replaced)).map((result, index) => [replaced[index], result] as const),
  )
  return pets.map(
    (pet, at) => results.get(pet) ?? (inUse.has(at) ? comparedWith(pet, stored.get(String(idOf(pet)))) : ADDED),
  )
}
