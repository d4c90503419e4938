// The archive of a MongoDB store: on the client for maintenance, whose commands may take their time.
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db } from 'mongodb'
import type { Instant } from '../../../domain/codecs/scalar.js'
import { unavailable } from '../../../domain/errors.js'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import type { Archive, ArchiveItem } from '../../../ports/archive.js'
import type { Damage, ReportDamage } from '../../../ports/notice.js'
import { API_KEYS, apiKeysIn, decodeApiKey } from '../api-key-store.js'
import { DURABLE_READ, readDocuments, repeatTransient } from '../connection/commands.js'
import type { Database } from '../connection/connection.js'
import { decodeEvent, decodeHold, NOT_VOID, PET_IDS, PETS, type PetDocument, petsIn } from '../documents.js'
import { COUNTER, countersIn, decodeLast, makeIdCounter } from '../id-counter.js'
import { saveEnd } from '../log/final-numbers.js'
import { insertVoids } from '../log/gaps.js'
import { unreachablePets } from '../pets/pet-filter.js'
import { addBatch } from './add-batch.js'

/** Documents per command of a read. Each reads one batch within ten minutes, and can be repeated. */
const BATCH = 1_000

type Items = readonly ArchiveItem[]

const damaged = (damage: Damage): ArchiveItem => ({ _tag: 'Damaged', damage })

const storeState = async (database: Db): Promise<Items> => {
  const last = decodeLast(await countersIn(database).findOne({ _id: COUNTER }, DURABLE_READ), MAX_PET_ID)
  if (E.isRight(last)) return [{ _tag: 'StoreState', lastId: last.right }]
  return [{ _tag: 'StoreState', lastId: 0n }, damaged(last.left)]
}

const apiKeys = async (database: Db): Promise<Items> => {
  const documents = await readDocuments(apiKeysIn(database), {}, { ...DURABLE_READ, sort: { _id: 1 } })
  return documents
    .map(decodeApiKey)
    .map((key) => (E.isLeft(key) ? damaged(key.left) : { _tag: 'ApiKey', key: key.right }))
}

/** A pet, and its idempotency key unless that has expired. */
const petItems = (document: PetDocument, now: Instant): Items => {
  const event = decodeEvent(document)
  if (E.isLeft(event)) return [damaged(event.left)]
  const pet: ArchiveItem = { _tag: 'Pet', event: event.right }
  if (document.idempotency === undefined) return [pet]
  const held = decodeHold(document)
  if (E.isLeft(held)) return [pet, damaged(held.left)]
  const { lineage, key, expiresAt } = held.right
  if (expiresAt <= now) return [pet]
  const {
    eventId,
    pet: { id: petId },
  } = event.right
  return [pet, { _tag: 'IdempotencyKey', petId, eventId, key: { lineage, key, expiresAt } }]
}

async function* itemsOf(database: Db, now: Instant): AsyncGenerator<Items> {
  yield repeatTransient(() => storeState(database))
  yield repeatTransient(() => apiKeys(database))
  const options = { ...DURABLE_READ, sort: { _id: 1 }, limit: BATCH, batchSize: BATCH + 1 } as const
  for (let after = 0n; ; ) {
    const filter = { _id: { ...PET_IDS, $gt: after }, ...NOT_VOID }
    const documents = await repeatTransient(() => readDocuments(petsIn(database), filter, options))
    yield documents.flatMap((document) => petItems(document, now))
    const last = documents.at(-1)
    if (last === undefined || documents.length < BATCH) break
    after = last._id
  }
  yield (await repeatTransient(() => unreachablePets(database))).map(damaged)
  // ids that were drawn meanwhile
  yield repeatTransient(() => storeState(database))
}

/** `ensureMissing`: collections and indexes. */
export const makeMongoArchive = (
  { open }: Pick<Database, 'open'>,
  ensureMissing: (database: Db) => Promise<void>,
  reportDamage: ReportDamage,
): Archive => {
  const inDatabase = <A>(task: (database: Db) => Promise<A>) => TE.tryCatch(async () => task(await open()), unavailable)
  let isPrepared = false

  /** Makes the last id of an import the end of the log, below which nothing is a gap: all pets are there. */
  const end = async (database: Db, last: bigint): Promise<void> => {
    await makeIdCounter({ database, reportDamage }).skip([[1, Number(last) - 1]], last)
    // keeps a lost counter above it
    await insertVoids(database, [last])
    await saveEnd(database, last)
  }

  return {
    size: inDatabase(async (database) => {
      const sizes = [PETS, API_KEYS].map((name) =>
        repeatTransient(() => database.collection(name).estimatedDocumentCount()),
      )
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    }),
    read: async function* (now) {
      try {
        for await (const items of itemsOf(await open(), now)) yield E.right(items)
      } catch (cause) {
        yield E.left(unavailable(cause))
      }
    },
    add: (batch) =>
      pipe(
        inDatabase(async (database) => {
          if (!isPrepared) await ensureMissing(database)
          isPrepared = true
          const added = await addBatch(database, batch)
          const last = O.getOrElse(() => 0n)(batch.lastId)
          if (E.isRight(added) && last > 0n) await repeatTransient(() => end(database, last))
          return added
        }),
        TE.flatMapEither(identity),
      ),
  }
}
