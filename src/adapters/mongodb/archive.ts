// Exports and imports a MongoDB store, with the maintenance client, whose commands may take minutes.
import * as E from 'fp-ts/lib/Either.js'
import { flow, identity, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db, Document } from 'mongodb'
import type { Counted, ImportBatch, RecordDiffers } from '../../domain/archive/archive-record.js'
import { decideImport, type Stored } from '../../domain/archive/decide-import.js'
import type { Instant } from '../../domain/codecs/scalar.js'
import type { IdempotencyKey } from '../../domain/pets/decide-add.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { Archive, ArchiveItem } from '../../ports/archive.js'
import type { Damage, ReportDamage } from '../../ports/notice.js'
import { API_KEYS, apiKeyDocument, apiKeysIn, decodeApiKey } from './api-key-store.js'
import { DURABLE_READ, failedCall, readDocuments, repeatTransient, writeUnlessTaken } from './connection/commands.js'
import type { Database } from './connection/connection.js'
import {
  decodeEvent,
  decodeHold,
  idempotencyOf,
  isVoid,
  NOT_VOID,
  PET_IDS,
  PETS,
  type PetDocument,
  petDocument,
  petsIn,
  type StoredHold,
  unreachablePets,
  VOIDS,
} from './documents.js'
import { COUNTER, countersIn, decodeLast, makeIdCounter } from './id-counter.js'
import { saveEnd } from './log/final-numbers.js'
import { insertVoids } from './log/gaps.js'
import { findHolders } from './pets/pet-reading.js'

/** Documents per read command. Each command can be repeated. */
const BATCH = 1_000

type Items = readonly ArchiveItem[]

const damaged = (damage: Damage): ArchiveItem => ({ _tag: 'Damaged', damage })

const storeState = async (database: Db): Promise<Items> => {
  const last = decodeLast(await countersIn(database).findOne({ _id: COUNTER }, DURABLE_READ), MAX_PET_ID)
  const lastId = E.getOrElse(() => 0n)(last)
  return [{ _tag: 'StoreState', lastId }, ...(E.isLeft(last) ? [damaged(last.left)] : [])]
}

const apiKeys = async (database: Db): Promise<Items> => {
  const documents = await readDocuments(apiKeysIn(database), {}, { ...DURABLE_READ, sort: { _id: 1 } })
  return documents.map(
    flow(
      decodeApiKey,
      E.match(damaged, (key): ArchiveItem => ({ _tag: 'ApiKey', key })),
    ),
  )
}

/** A pet, and its idempotency key unless that has expired. */
const petItems = (document: PetDocument, now: Instant): Items => {
  const decoded = decodeEvent(document)
  if (E.isLeft(decoded)) return [damaged(decoded.left)]
  const event = decoded.right
  const pet: ArchiveItem = { _tag: 'Pet', event }
  if (document.idempotency === undefined) return [pet]
  const held = decodeHold(document)
  if (E.isLeft(held)) return [pet, damaged(held.left)]
  const { turn: _, ...key } = held.right
  if (key.expiresAt <= now) return [pet]
  return [pet, { _tag: 'IdempotencyKey', petId: event.pet.id, eventId: event.eventId, key }]
}

async function* itemsOf(database: Db, now: Instant): AsyncGenerator<Items> {
  yield repeatTransient(() => storeState(database))
  yield repeatTransient(() => apiKeys(database))
  const options = { ...DURABLE_READ, sort: { _id: 1 }, limit: BATCH, batchSize: BATCH + 1 } as const
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const filter = { _id: { ...PET_IDS, $gt: after }, ...NOT_VOID }
    const documents: readonly PetDocument[] = await repeatTransient(() =>
      readDocuments(petsIn(database), filter, options),
    )
    yield documents.flatMap((document) => petItems(document, now))
    after = documents[BATCH - 1]?._id
  }
  yield (await repeatTransient(() => unreachablePets(database))).map(damaged)
  // again, because ids were drawn meanwhile
  yield repeatTransient(() => storeState(database))
}

const tagged = <T extends Counted['_tag']>(records: readonly Counted[], tag: T) =>
  records.filter((record): record is Extract<Counted, { readonly _tag: T }> => record._tag === tag)

const storedOf = <D, A>(decode: (document: D) => E.Either<Damage, A>, document: D | undefined): Stored<A> =>
  document === undefined ? E.right(O.none) : E.bimap(({ reason }: Damage) => reason, O.some<A>)(decode(document))

const decodeHolder = (document: PetDocument) =>
  E.map((hold: StoredHold) => ({ ...hold, petId: document._id }))(decodeHold(document))

const lookUp = async (database: Db, { records, after }: ImportBatch) => {
  const pets = petsIn(database)
  const keys = tagged(records, 'IdempotencyKey')
  const petIds = [...tagged(records, 'Pet').map(({ event }) => event.pet.id), ...keys.map(({ petId }) => petId)]
  const keyIds = tagged(records, 'ApiKey').map(({ key }) => key.id)
  const highest = { ...DURABLE_READ, projection: { _id: 1 }, sort: { _id: -1 }, limit: 1 } as const
  // only ids above `after` matter to the decision, and during an import there are hardly any
  const [last] = await readDocuments(pets, { _id: { ...PET_IDS, $gt: after }, ...NOT_VOID }, highest)
  const found = await readDocuments(pets, { _id: { $in: petIds } }, DURABLE_READ)
  const foundKeys = await readDocuments(apiKeysIn(database), { _id: { $in: keyIds } }, DURABLE_READ)
  const holders = await findHolders(pets, keys)
  const petsById = new Map(found.map((document) => [String(document._id), document]))
  const keysById = new Map(foundKeys.map((document) => [document._id, document]))
  const voids = new Set(found.filter(isVoid).map(({ _id }) => String(_id)))
  return {
    // another program may have stored a fraction
    lastPet: last === undefined ? after : BigInt(Math.ceil(Number(last._id))),
    pet: (id: bigint) => storedOf(decodeEvent, voids.has(String(id)) ? undefined : petsById.get(String(id))),
    apiKey: (id: string) => storedOf(decodeApiKey, keysById.get(id)),
    holder: (key: IdempotencyKey) => storedOf(decodeHolder, holders(key).at(-1)),
    isVoid: (id: bigint) => voids.has(String(id)),
  }
}

type Beside = Awaited<ReturnType<typeof lookUp>>

/**
 * The commands that add the records, in order of dependency. Voids are removed before any pet is added: if the import
 * is cut off and run again, a pet beyond a missing one would be taken for one that the store has added itself.
 */
const commandsOf = (added: readonly Counted[], { isVoid: hasVoid, holder: holderOf }: Beside): readonly Document[] => {
  const pets = tagged(added, 'Pet').map(({ event }) => petDocument({ event, idempotencyKey: O.none }))
  const voids = pets.flatMap(({ _id }) => (hasVoid(_id) ? [{ q: { _id, ...VOIDS }, limit: 1 }] : []))
  const keys = tagged(added, 'IdempotencyKey').map(({ petId, key }) => {
    const holder = O.flatten(O.fromEither(holderOf(key)))
    const idempotency = idempotencyOf(key, O.isSome(holder) ? holder.value.turn + 1 : 0)
    return { q: { _id: petId, idempotency: { $exists: false } }, u: { $set: { idempotency } } }
  })
  return [
    { insert: API_KEYS, documents: tagged(added, 'ApiKey').map(({ key }) => apiKeyDocument(key)) },
    { delete: PETS, deletes: voids },
    { insert: PETS, documents: pets },
    { update: PETS, updates: keys },
  ].filter(({ documents = [], deletes = [], updates = [] }) => documents.length + deletes.length + updates.length > 0)
}

/** Safe to repeat. A refused write was done by a lost attempt or by another program; a second look-up tells which. */
const addBatch = async (database: Db, batch: ImportBatch): Promise<E.Either<RecordDiffers, readonly Counted[]>> => {
  const beside = await repeatTransient(() => lookUp(database, batch))
  const decided = decideImport(batch, beside)
  if (E.isLeft(decided)) return decided
  let taken = 0
  for (const command of commandsOf(decided.right, beside)) {
    taken += (await repeatTransient(() => writeUnlessTaken(database, command))).size
  }
  if (taken === 0) return decided
  const again = decideImport(batch, await repeatTransient(() => lookUp(database, batch)))
  if (E.isRight(again) && again.right.length > 0)
    throw new Error('another program writes to the database during the import')
  return E.isLeft(again) ? again : decided
}

export const makeMongoArchive = (
  { open }: Database,
  ensureIndexes: () => Promise<void>,
  reportDamage: ReportDamage,
): Archive => {
  let isPrepared = false

  /** Makes the last id of an import the end of the log, and records all lower unused ids as skipped. */
  const end = async (database: Db, last: bigint): Promise<void> => {
    await makeIdCounter({ database, reportDamage }).skip([[1, Number(last) - 1]], last)
    // if the counter is lost, it resumes above this document
    await insertVoids(database, [last])
    await saveEnd(database, last)
  }

  return {
    read: async function* (now) {
      try {
        for await (const items of itemsOf(await open(), now)) yield E.right(items)
      } catch (cause) {
        yield E.left(failedCall(cause))
      }
    },
    add: (batch) =>
      pipe(
        TE.tryCatch(async () => {
          const database = await open()
          if (!isPrepared) await ensureIndexes()
          isPrepared = true
          const added = await addBatch(database, batch)
          const last = O.getOrElse(() => 0n)(batch.lastId)
          if (E.isRight(added) && last > 0n) await repeatTransient(() => end(database, last))
          return added
        }, failedCall),
        TE.flatMapEither(identity),
      ),
  }
}
