// Adds a batch of an import: reads what the database has beside it, decides, and writes many documents per command.
import * as E from 'fp-ts/lib/Either.js'
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Db, Document } from 'mongodb'
import type { Counted, ImportBatch, RecordDiffers } from '../../../domain/archive/archive-record.js'
import { decideImport, type ImportTarget, type KeyHolder, type Stored } from '../../../domain/archive/decide-import.js'
import type { IdempotencyKey } from '../../../domain/pets/decide-add.js'
import { API_KEYS, apiKeyDocument, apiKeysIn, decodeApiKey } from '../api-key-store.js'
import { DURABLE_READ, readDocuments, repeatTransient, writeUnlessTaken } from '../connection/commands.js'
import {
  decodeEvent,
  decodeHold,
  idempotencyOf,
  isVoid,
  NOT_VOID,
  PET_IDS,
  PETS,
  petDocument,
  petsIn,
  type StoredHold,
  storedOf,
  VOIDS,
} from '../documents.js'
import { findHolders } from '../pets/pet-insertion.js'

type Tag = Counted['_tag']

const tagged = <T extends Tag>(records: readonly Counted[], tag: T) =>
  records.filter((record): record is Extract<Counted, { readonly _tag: T }> => record._tag === tag)

interface Beside extends ImportTarget {
  readonly isVoid: (id: bigint) => boolean
  readonly holder: (key: IdempotencyKey) => Stored<KeyHolder & StoredHold>
}

const lookUp = async (database: Db, { records, after }: ImportBatch): Promise<Beside> => {
  const pets = petsIn(database)
  const keys = tagged(records, 'IdempotencyKey')
  const petIds = [...tagged(records, 'Pet').map(({ event }) => event.pet.id), ...keys.map(({ petId }) => petId)]
  const keyIds = tagged(records, 'ApiKey').map(({ key }) => key.id)
  const highest = { ...DURABLE_READ, projection: { _id: 1 }, sort: { _id: -1 }, limit: 1 } as const
  // below, nothing is decided any more, and an import has hardly anything above
  const [last] = await readDocuments(pets, { _id: { ...PET_IDS, $gt: after }, ...NOT_VOID }, highest)
  const found = await readDocuments(pets, { _id: { $in: petIds } }, DURABLE_READ)
  const foundKeys = await readDocuments(apiKeysIn(database), { _id: { $in: keyIds } }, DURABLE_READ)
  const holders = await findHolders(
    pets,
    keys.map(({ key }) => key),
  )
  const [voids, sound] = [found.filter(isVoid), found.filter((document) => !isVoid(document))]
  const voidIds = new Set(voids.map(({ _id }) => String(_id)))
  const petsById = new Map(sound.map((document) => [String(document._id), document]))
  const keysById = new Map(foundKeys.map((document) => [document._id, document]))
  return {
    // another program may have stored a fraction
    lastPet: last === undefined ? after : BigInt(Math.ceil(Number(last._id))),
    isVoid: (id) => voidIds.has(String(id)),
    pet: (id) => storedOf(decodeEvent, petsById.get(String(id))),
    apiKey: (id) => storedOf(decodeApiKey, keysById.get(id)),
    holder: (key) => {
      const holder = holders(key).at(-1)
      if (holder === undefined) return E.right(O.none)
      const withPet = (hold: StoredHold) => ({ ...hold, petId: holder._id })
      return storedOf(flow(decodeHold, E.map(withPet)), holder)
    },
  }
}

/** The commands that add the records, in order of dependency. A void gives way to its pet. */
const commandsOf = (added: readonly Counted[], beside: Beside): readonly Document[] => {
  const documents = tagged(added, 'Pet').map(({ event }) => petDocument({ event, idempotencyKey: O.none }))
  const keys = tagged(added, 'IdempotencyKey').map(({ petId, key }) => {
    const holder = beside.holder(key)
    const turn = E.isRight(holder) && O.isSome(holder.right) ? holder.right.value.turn + 1 : 0
    const idempotency = idempotencyOf(key, turn)
    return { q: { _id: petId, idempotency: { $exists: false } }, u: { $set: { idempotency } } }
  })
  const inserted = documents.filter(({ _id }) => !beside.isVoid(_id))
  const replacing = documents.filter(({ _id }) => beside.isVoid(_id))
  return [
    { insert: API_KEYS, documents: tagged(added, 'ApiKey').map(({ key }) => apiKeyDocument(key)) },
    { insert: PETS, documents: inserted },
    { update: PETS, updates: replacing.map((document) => ({ q: { _id: document._id, ...VOIDS }, u: document })) },
    { update: PETS, updates: keys },
  ].filter(({ documents = [], updates = [] }) => documents.length + updates.length > 0)
}

/** Safe to repeat. A write that was taken is one whose reply was lost, or another program's: the database says which. */
export const addBatch = async (
  database: Db,
  batch: ImportBatch,
): Promise<E.Either<RecordDiffers, readonly Counted[]>> => {
  const beside = await repeatTransient(() => lookUp(database, batch))
  const decided = decideImport(batch, beside)
  if (E.isLeft(decided)) return decided
  let isTaken = false
  for (const command of commandsOf(decided.right, beside)) {
    const taken = await repeatTransient(() => writeUnlessTaken(database, command))
    isTaken ||= taken.size > 0
  }
  if (!isTaken) return decided
  const again = decideImport(batch, await repeatTransient(() => lookUp(database, batch)))
  if (E.isLeft(again)) return again
  if (again.right.length > 0) throw new Error('another program writes to the database during the import')
  return decided
}
