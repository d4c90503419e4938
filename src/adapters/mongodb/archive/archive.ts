// The archive of a MongoDB store: on the client for maintenance, whose commands may take their time.
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db } from 'mongodb'
import type { Instant } from '../../../domain/codecs/instant.js'
import { unavailable } from '../../../domain/errors.js'
import type { PetCreated } from '../../../domain/events/domain-event.js'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import type { Archive, ArchiveItem } from '../../../ports/archive.js'
import type { Damage, ReportDamage } from '../../../ports/notice.js'
import { API_KEYS, apiKeysIn, decodeApiKey } from '../api-key-store.js'
import type { Database } from '../connection/client.js'
import { DURABLE_READ, readDocuments, repeatStep } from '../connection/commands.js'
import {
  decodeEvent,
  decodeHold,
  NOT_VOID,
  PET_IDS,
  PETS,
  type PetDocument,
  petsIn,
} from '../documents/pet-document.js'
import { COUNTER, countersIn, decodeLast, type IdCounter, makeIdCounter } from '../id-counter.js'
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
  return documents.map((document) => {
    const key = decodeApiKey(document)
    return E.isLeft(key) ? damaged(key.left) : { _tag: 'ApiKey', key: key.right }
  })
}

const heldKey = (document: PetDocument, { pet, eventId }: PetCreated, now: Instant): Items => {
  if (document.idempotency === undefined) return []
  const held = decodeHold(document)
  if (E.isLeft(held)) return [damaged(held.left)]
  const { lineage, key, expiresAt } = held.right
  if (expiresAt <= now) return []
  return [{ _tag: 'IdempotencyKey', petId: pet.id, eventId, key: { lineage, key, expiresAt } }]
}

const petItems = (document: PetDocument, now: Instant): Items => {
  const event = decodeEvent(document)
  if (E.isLeft(event)) return [damaged(event.left)]
  return [{ _tag: 'Pet', event: event.right }, ...heldKey(document, event.right, now)]
}

async function* itemsOf(database: Db, now: Instant): AsyncGenerator<Items> {
  const pets = petsIn(database)
  yield [...(await repeatStep(() => storeState(database))), ...(await repeatStep(() => apiKeys(database)))]
  const options = { ...DURABLE_READ, sort: { _id: 1 }, limit: BATCH, batchSize: BATCH + 1 } as const
  for (let after = 0n; ; ) {
    const filter = { _id: { ...PET_IDS, $gt: after }, ...NOT_VOID }
    const documents = await repeatStep(() => readDocuments(pets, filter, options))
    yield documents.flatMap((document) => petItems(document, now))
    const last = documents.at(-1)
    if (last === undefined || documents.length < BATCH) break
    after = last._id
  }
  yield (await repeatStep(() => unreachablePets(database))).map(damaged)
  // ids that were drawn meanwhile
  yield await repeatStep(() => storeState(database))
}

/** Makes the last id of an import the end of the log, below which nothing is a gap. A document under it keeps a lost counter above it. */
const closeImport = async (database: Db, counter: IdCounter, last: bigint): Promise<void> => {
  if (last === 0n) return
  await repeatStep(() => counter.raiseTo(last))
  await repeatStep(() => insertVoids(database, [last]))
  await repeatStep(() => saveEnd(database, last))
}

/** `prepare` ensures collections and indexes. */
export const makeMongoArchive = (
  { open }: Pick<Database, 'open'>,
  prepare: (database: Db) => Promise<void>,
  reportDamage: ReportDamage,
): Archive => {
  const inDatabase = <A>(task: (database: Db) => Promise<A>) => TE.tryCatch(async () => task(await open()), unavailable)
  let isPrepared = false

  return {
    size: inDatabase(async (database) => {
      const sizes = [PETS, API_KEYS].map((name) => repeatStep(() => database.collection(name).estimatedDocumentCount()))
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
          if (!isPrepared) await prepare(database)
          isPrepared = true
          const added = await addBatch(database, batch)
          if (E.isRight(added) && O.isSome(batch.lastId)) {
            await closeImport(database, makeIdCounter({ database, reportDamage }), batch.lastId.value)
          }
          return added
        }),
        TE.flatMapEither(identity),
      ),
  }
}
