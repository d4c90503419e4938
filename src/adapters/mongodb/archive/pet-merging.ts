// Imports pets: one bulk insert, then one read of the ids already in use. A void gives way to its pet.
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from 'mongodb'
import type { PetArchived } from '../../../domain/archive/archive-record.js'
import { decideMerge } from '../../../domain/archive/decide-merge.js'
import type { MergeResult } from '../../../ports/archive.js'
import { DURABLE_READ } from '../connection/durable-read.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { writeUnlessTaken } from '../connection/write-command.js'
import { storedOf } from '../documents/decoding.js'
import { decodeEvent, type PetDocument, petDocument } from '../documents/pet-document.js'
import { readDocuments } from '../documents/read-documents.js'
import { isVoid, VOIDS } from '../documents/void-document.js'
import { PETS } from '../schema/collections.js'

const ADDED: MergeResult = { _tag: 'Added' }

const idOf = ({ event }: PetArchived): bigint => event.pet.id

const documentOf = ({ event }: PetArchived): PetDocument => petDocument({ event, idempotencyKey: O.none })

const storedAt = async (database: Db, pets: readonly PetArchived[]): Promise<ReadonlyMap<string, PetDocument>> => {
  if (pets.length === 0) return new Map()
  const filter = { _id: { $in: pets.map(idOf) } }
  const stored = database.collection<PetDocument>(PETS)
  const found = await repeatStep(() => readDocuments((read) => stored.find(filter, { ...DURABLE_READ, ...read })))
  return new Map(found.map((document) => [String(document._id), document]))
}

/** One result for each pet. An insert whose reply was lost finds its own documents and counts them as unchanged. */
export const mergePets = async (database: Db, pets: readonly PetArchived[]): Promise<readonly MergeResult[]> => {
  if (pets.length === 0) return []
  const documents = pets.map(documentOf)
  const inUse = await repeatStep(() => writeUnlessTaken(database, { insert: PETS, documents }))
  const others = pets.filter((_, at) => inUse.has(at))
  const before = await storedAt(database, others)
  const replaced = others.filter((pet) => {
    const document = before.get(String(idOf(pet)))
    return document !== undefined && isVoid(document)
  })
  // another import may do so at the same time, with other pets
  const updates = replaced.map((pet) => ({ q: { _id: idOf(pet), ...VOIDS }, u: documentOf(pet) }))
  if (updates.length > 0) await repeatStep(() => writeUnlessTaken(database, { update: PETS, updates }))
  const stored = new Map([...before, ...(await storedAt(database, replaced))])
  return pets.map((pet, at): MergeResult => {
    if (!inUse.has(at)) return ADDED
    const { result } = decideMerge.Pet(pet, storedOf(decodeEvent(stored.get(String(idOf(pet))))))
    return result._tag === 'Unchanged' && replaced.includes(pet) ? ADDED : result
  })
}
