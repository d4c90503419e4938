// All records of the database: each command reads one batch within ten minutes, and can be repeated.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Collection, Db } from 'mongodb'
import type { Instant } from '../../../domain/codecs/instant.js'
import { unavailable } from '../../../domain/errors.js'
import type { PetCreated } from '../../../domain/events/domain-event.js'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import type { Archive, ArchiveItem } from '../../../ports/archive.js'
import type { Damage } from '../../../ports/notice.js'
import { decodeApiKey } from '../api-key-store.js'
import type { LazyDatabase } from '../connection/client.js'
import { DURABLE_READ, readDocuments, repeatStep } from '../connection/commands.js'
import { decodeEvent, decodeHeldKey, type PetDocument } from '../documents/pet-document.js'
import { NOT_VOID } from '../documents/void-document.js'
import { COUNTER, type CounterDocument, decodeLast } from '../id-counter.js'
import { API_KEYS, COUNTERS, PETS } from '../schema/collections.js'

/** Documents per command. */
const BATCH = 1_000

type Items = readonly ArchiveItem[]

const damaged = (damage: Damage): ArchiveItem => ({ _tag: 'Damaged', damage })

const storeState = async (database: Db): Promise<Items> => {
  const counters: Collection<CounterDocument> = database.collection(COUNTERS)
  const last = decodeLast(await counters.findOne({ _id: COUNTER }, DURABLE_READ), MAX_PET_ID)
  if (E.isRight(last)) return [{ _tag: 'StoreState', lastId: last.right }]
  return [{ _tag: 'StoreState', lastId: 0n }, damaged(last.left)]
}

const apiKeys = async (database: Db): Promise<Items> => {
  const documents = await readDocuments(database.collection(API_KEYS), {}, { ...DURABLE_READ, sort: { _id: 1 } })
  return documents.map((document) =>
    pipe(
      decodeApiKey(document),
      E.match(damaged, (key): ArchiveItem => ({ _tag: 'ApiKey', key })),
    ),
  )
}

const heldKey = (document: PetDocument, { pet, eventId }: PetCreated, now: Instant): Items => {
  if (document.idempotency === undefined) return []
  const key = decodeHeldKey(document)
  if (E.isLeft(key)) return [damaged(key.left)]
  return key.right.expiresAt > now ? [{ _tag: 'IdempotencyKey', petId: pet.id, eventId, key: key.right }] : []
}

const petItems =
  (now: Instant) =>
  (document: PetDocument): Items => {
    const event = decodeEvent(document)
    if (E.isLeft(event)) return [damaged(event.left)]
    const { id } = event.right.pet
    if (id < 1n || id > MAX_PET_ID)
      return [damaged({ record: 'pet', id: String(id), reason: '/_id: is not an id of the service' })]
    return [{ _tag: 'Pet', event: event.right }, ...heldKey(document, event.right, now)]
  }

const NUMBERS = ['long', 'int', 'double', 'decimal'] as const

/** Documents that no request can reach: their ids are not numbers. */
const foreignPets = async (pets: Collection<PetDocument>): Promise<Items> => {
  const filter = { $nor: NUMBERS.map((type) => ({ _id: { $type: type } })) }
  const documents = await pets.find(filter, { projection: { _id: 1 } }).toArray()
  return documents.map(({ _id }) => damaged({ record: 'pet', id: String(_id), reason: '/_id: is not an integer' }))
}

async function* itemsOf(database: Db, now: Instant): AsyncGenerator<Items> {
  const pets: Collection<PetDocument> = database.collection(PETS)
  yield [...(await repeatStep(() => storeState(database))), ...(await repeatStep(() => apiKeys(database)))]
  const options = { ...DURABLE_READ, sort: { _id: 1 }, limit: BATCH, batchSize: BATCH + 1 } as const
  for (let after: bigint | number = Number.NEGATIVE_INFINITY; ; ) {
    const filter = { _id: { $gt: after }, ...NOT_VOID } as { readonly _id: { readonly $gt: bigint } }
    const documents = await repeatStep(() => readDocuments(pets, filter, options))
    yield documents.flatMap(petItems(now))
    const last = documents.at(-1)
    if (last === undefined || documents.length < BATCH) break
    after = last._id
  }
  yield await repeatStep(() => foreignPets(pets))
  // ids that were drawn meanwhile
  yield await repeatStep(() => storeState(database))
}

export const readArchive = (open: LazyDatabase['open']): Archive['read'] =>
  async function* (now) {
    try {
      for await (const items of itemsOf(await open(), now)) yield E.right(items)
    } catch (cause) {
      yield E.left(unavailable(cause))
    }
  }
