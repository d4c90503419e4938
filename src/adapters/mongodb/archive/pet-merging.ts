// Imports pets: one bulk insert, then one read of the ids already in use.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Db, MongoServerError } from 'mongodb'
import { type EventState, isSameEvent, type PetArchived } from '../../../domain/archive/archive-record.js'
import { ADDED, refused, refusedAsDamaged, UNCHANGED } from '../../../domain/archive/merge-results.js'
import type { MergeResult } from '../../../ports/archive.js'
import { DUPLICATE_KEY } from '../connection/duplicate-key.js'
import { DURABLE_READ } from '../connection/durable-read.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { runWrite } from '../connection/write-command.js'
import { decodeEvent, type PetDocument, petDocument, type Unsent } from '../documents/pet-document.js'
import { PETS } from '../schema/collections.js'

const unsentFrom = (state: EventState): Unsent | undefined => {
  switch (state._tag) {
    case 'Settled':
      return undefined
    case 'Waiting':
      return { parked: false, failures: state.failures, dueAt: new Date(state.dueAt) }
    case 'Parked':
      return { parked: true, reason: state.reason, failures: 0, dueAt: new Date(0) }
  }
}

const documentOf = ({ event, eventState }: PetArchived): PetDocument => {
  const unsent = unsentFrom(eventState)
  return { ...petDocument({ event, idempotencyKey: O.none }, false), ...(unsent && { unsent }) }
}

const comparedWith = ({ event }: PetArchived, stored: PetDocument | undefined): MergeResult =>
  pipe(
    decodeEvent(stored),
    E.match(
      ({ reason }) => refusedAsDamaged(reason),
      (other) => (isSameEvent(event, other) ? UNCHANGED : refused('the store has another pet with this id')),
    ),
  )

/** One result for each pet. An insert whose reply was lost finds its own documents and counts them as unchanged. */
export const mergePets = async (database: Db, pets: readonly PetArchived[]): Promise<readonly MergeResult[]> => {
  if (pets.length === 0) return []
  const documents = pets.map(documentOf)
  const errors = await repeatStep(() => runWrite(database, { insert: PETS, documents }))
  const unexpected = errors.find(({ code }) => code !== DUPLICATE_KEY)
  if (unexpected !== undefined) throw new MongoServerError({ ...unexpected })
  const inUse = new Set(errors.map(({ index }) => index))
  if (inUse.size === 0) return pets.map(() => ADDED)
  const ids = pets.filter((_, at) => inUse.has(at)).map(({ event }) => event.pet.id)
  const stored = await repeatStep(() =>
    database
      .collection<PetDocument>(PETS)
      .find({ _id: { $in: ids } }, DURABLE_READ)
      .toArray(),
  )
  const byId = new Map(stored.map((document) => [String(document._id), document]))
  return pets.map((pet, at) => (inUse.has(at) ? comparedWith(pet, byId.get(String(pet.event.pet.id))) : ADDED))
}
