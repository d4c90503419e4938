// Adds a batch of an import: reads what the database has beside it, decides, and writes many documents per command.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Db, Document } from 'mongodb'
import type { Counted, ImportBatch, RecordDiffers } from '../../../domain/archive/archive-record.js'
import { decideImport, type ImportTarget, type KeyHolder, type Stored } from '../../../domain/archive/decide-import.js'
import type { IdempotencyKey } from '../../../domain/pets/decide-add.js'
import { API_KEYS, apiKeyDocument, apiKeysIn, decodeApiKey } from '../api-key-store.js'
import { DURABLE_READ, readDocuments, repeatStep, writeUnlessTaken } from '../connection/commands.js'
import { storedOf } from '../documents/decoding.js'
import {
  decodeEvent,
  decodeHold,
  isVoid,
  LINEAGE,
  NOT_VOID,
  PET_IDS,
  PETS,
  type PetDocument,
  petDocument,
  petsIn,
  type StoredHold,
  VOIDS,
} from '../documents/pet-document.js'
import { findHolders } from '../pets/pet-insertion.js'

type Tag = Counted['_tag']

const tagged = <T extends Tag>(records: readonly Counted[], tag: T) =>
  records.filter((record): record is Extract<Counted, { readonly _tag: T }> => record._tag === tag)

interface Beside extends ImportTarget {
  readonly isVoid: (id: bigint) => boolean
  readonly holder: (key: IdempotencyKey) => Stored<KeyHolder & StoredHold>
}

/** What the database has beside the records. */
const lookUp = async (database: Db, { records, after }: ImportBatch): Promise<Beside> => {
  const pets = petsIn(database)
  const keys = tagged(records, 'IdempotencyKey')
  const petIds = [...tagged(records, 'Pet').map(({ event }) => event.pet.id), ...keys.map(({ petId }) => petId)]
  const keyIds = tagged(records, 'ApiKey').map(({ key }) => key.id)
  const highest = { ...DURABLE_READ, projection: { _id: 1 }, sort: { _id: -1 }, limit: 1 } as const
  // below, nothing is decided any more, and an import has hardly anything above
  const [last] = await repeatStep(() => readDocuments(pets, { _id: { ...PET_IDS, $gt: after }, ...NOT_VOID }, highest))
  const found = await repeatStep(() => readDocuments(pets, { _id: { $in: petIds } }, DURABLE_READ))
  const foundKeys = await repeatStep(() => readDocuments(apiKeysIn(database), { _id: { $in: keyIds } }, DURABLE_READ))
  const held = keys.map(({ key }) => key)
  // an empty condition is an error
  const holderOf = held.length > 0 && (await repeatStep(() => findHolders(pets, held, { idempotency: 1 })))
  const byId = new Map(found.map((document) => [String(document._id), document]))
  const keysById = new Map(foundKeys.map((document) => [document._id, document]))
  const sound = (document: PetDocument | undefined) => document !== undefined && !isVoid(document)
  return {
    // another program may have stored a fraction
    lastPet: last === undefined ? after : BigInt(Math.ceil(Number(last._id))),
    isVoid: (id) => byId.has(String(id)) && !sound(byId.get(String(id))),
    pet: (id) => {
      const document = byId.get(String(id))
      return sound(document) ? storedOf(decodeEvent(document)) : E.right(O.none)
    },
    apiKey: (id) => (keysById.has(id) ? storedOf(decodeApiKey(keysById.get(id))) : E.right(O.none)),
    holder: (key) => {
      const holder = holderOf ? holderOf(key) : undefined
      if (holder === undefined) return E.right(O.none)
      return storedOf(E.map((hold: StoredHold) => ({ ...hold, petId: holder._id }))(decodeHold(holder)))
    },
  }
}

/** The commands that add the records, in order of dependency. A void gives way to its pet. */
const commandsOf = (added: readonly Counted[], beside: Beside): readonly Document[] => {
  const documents = tagged(added, 'Pet').map(({ event }) => petDocument({ event, idempotencyKey: O.none }))
  const keys = tagged(added, 'IdempotencyKey').map(({ petId, key: { lineage, key, expiresAt } }) => {
    const holder = beside.holder({ lineage, key })
    const turn = E.isRight(holder) && O.isSome(holder.right) ? holder.right.value.turn + 1 : 0
    const idempotency = { [LINEAGE]: lineage, key, turn, expiresAt: new Date(expiresAt) }
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
  const beside = await lookUp(database, batch)
  const decided = decideImport(batch, beside)
  if (E.isLeft(decided)) return decided
  let isTaken = false
  for (const command of commandsOf(decided.right, beside)) {
    const taken = await repeatStep(() => writeUnlessTaken(database, command))
    isTaken ||= taken.size > 0
  }
  if (!isTaken) return decided
  const again = decideImport(batch, await lookUp(database, batch))
  if (E.isLeft(again)) return again
  if (again.right.length > 0) throw new Error('another program writes to the database during the import')
  return decided
}
