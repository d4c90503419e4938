// All records of the database: each command reads one batch within ten minutes, and can be repeated.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Collection, Db } from 'mongodb'
import type { Instant } from '../../../domain/codecs/instant.js'
import { Int64 } from '../../../domain/codecs/int64.js'
import { unavailable } from '../../../domain/errors.js'
import type { PetCreated } from '../../../domain/events/pet-created.js'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import type { Archive, ArchiveItem } from '../../../ports/archive.js'
import type { Damage } from '../../../ports/damage-report.js'
import { DURABLE_READ } from '../connection/durable-read.js'
import type { LazyDatabase } from '../connection/lazy-database.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { decodeApiKey } from '../documents/api-key-document.js'
import { COUNTER, type CounterDocument } from '../documents/counter-document.js'
import { decodeEvent, decodeHeldKey, type PetDocument } from '../documents/pet-document.js'
import { readDocuments } from '../documents/read-documents.js'
import { NOT_VOID } from '../documents/void-document.js'
import { API_KEYS, COUNTERS, PETS } from '../schema/collections.js'

/** Documents per command. */
const BATCH = 1_000

const damaged = (damage: Damage): ArchiveItem => ({ _tag: 'Damaged', damage })

const storeState = async (database: Db): Promise<readonly ArchiveItem[]> => {
  const counter = await database.collection<CounterDocument>(COUNTERS).findOne({ _id: COUNTER }, DURABLE_READ)
  const last = counter === null ? E.right(0n) : Int64.decode(counter.last)
  if (E.isRight(last) && last.right >= 0n && last.right <= MAX_PET_ID)
    return [{ _tag: 'StoreState', lastId: last.right }]
  const reason = `the last id is not an integer from 0: ${String(counter?.last)}`
  return [{ _tag: 'StoreState', lastId: 0n }, damaged({ record: 'id counter', id: COUNTER, reason })]
}

const apiKeys = async (database: Db): Promise<readonly ArchiveItem[]> => {
  const keys = database.collection(API_KEYS)
  const documents = await readDocuments((read) => keys.find({}, { ...DURABLE_READ, ...read, sort: { _id: 1 } }))
  return documents.map((document) =>
    pipe(
      decodeApiKey(document),
      E.match(damaged, (key): ArchiveItem => ({ _tag: 'ApiKey', key })),
    ),
  )
}

const heldKey = (document: PetDocument, { pet, eventId }: PetCreated, now: Instant): readonly ArchiveItem[] => {
  if (document.idempotency === undefined) return []
  return pipe(
    decodeHeldKey(document),
    E.match(
      (damage) => [damaged(damage)],
      (key): readonly ArchiveItem[] =>
        key.expiresAt > now ? [{ _tag: 'IdempotencyKey', petId: pet.id, eventId, key }] : [],
    ),
  )
}

const petItems =
  (now: Instant) =>
  (document: PetDocument): readonly ArchiveItem[] =>
    pipe(
      decodeEvent(document),
      E.filterOrElse(
        ({ pet: { id } }) => id >= 1n && id <= MAX_PET_ID,
        ({ pet: { id } }): Damage => ({
          record: 'pet',
          id: String(id),
          reason: '/_id: is not an id of the service',
        }),
      ),
      E.match(
        (damage): readonly ArchiveItem[] => [damaged(damage)],
        (event) => [{ _tag: 'Pet', event }, ...heldKey(document, event, now)],
      ),
    )

const NUMBERS = ['long', 'int', 'double', 'decimal'] as const

/** Documents that no request can reach: their ids are not numbers. */
const foreignPets = async (pets: Collection<PetDocument>): Promise<readonly ArchiveItem[]> => {
  const documents = await pets
    .find({ $nor: NUMBERS.map((type) => ({ _id: { $type: type } })) }, { projection: { _id: 1 } })
    .toArray()
  return documents.map(({ _id }) => damaged({ record: 'pet', id: String(_id), reason: '/_id: is not an integer' }))
}

async function* itemsOf(database: Db, now: Instant): AsyncGenerator<readonly ArchiveItem[]> {
  const pets = database.collection<PetDocument>(PETS)
  yield [...(await repeatStep(() => storeState(database))), ...(await repeatStep(() => apiKeys(database)))]
  for (let after: bigint | number = Number.NEGATIVE_INFINITY; ; ) {
    const filter = { _id: { $gt: after }, ...NOT_VOID } as { readonly _id: { readonly $gt: bigint } }
    const documents = await repeatStep(() =>
      readDocuments((options) =>
        pets.find(filter, { ...DURABLE_READ, ...options, sort: { _id: 1 }, limit: BATCH, batchSize: BATCH + 1 }),
      ),
    )
    yield documents.flatMap(petItems(now))
    const last = documents.at(-1)
    if (last === undefined || documents.length < BATCH) break
    after = last._id
  }
  yield await repeatStep(() => foreignPets(pets))
  // ids that were drawn meanwhile
  yield await repeatStep(() => storeState(database))
}

/** The approximate number of records. */
export const archiveSize = async (database: Db): Promise<number> => {
  const sizes = await Promise.all([PETS, API_KEYS].map((name) => database.collection(name).estimatedDocumentCount()))
  return sizes.reduce((sum, size) => sum + size, 0)
}

export const readArchive = ({ open }: Pick<LazyDatabase, 'open'>): Archive['read'] =>
  async function* (now) {
    try {
      for await (const items of itemsOf(await open(), now)) yield E.right(items)
    } catch (cause) {
      yield E.left(unavailable(cause))
    }
  }
