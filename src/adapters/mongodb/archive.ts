// Reads and restores the records of a MongoDB store, with the maintenance client, whose commands may take minutes.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db } from 'mongodb'
import { decideRestore, type Restored } from '../../domain/archive/decide-restore.js'
import type { Unavailable } from '../../domain/errors.js'
import type { HeldIdempotencyKey, PetRecord } from '../../domain/pets/decide-add.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { Archive, ArchivePage } from '../../ports/archive.js'
import type { Damage, ReportDamage } from '../../ports/notice.js'
import { batch } from './batch.js'
import { DURABLE_READ, failedCall, readDocuments, repeatTransient, writeUnlessTaken } from './connection/commands.js'
import type { Database } from './connection/connection.js'
import {
  decodeEvent,
  decodeHold,
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

/** Documents per read command. Each command can be repeated. */
const PAGE = 1_000

/** Milliseconds for a restored record, which waits for its batch. */
const RESTORE_TIMEOUT_MS = 600_000

const heldBy = (document: PetDocument): E.Either<Damage, O.Option<HeldIdempotencyKey>> => {
  if (document.idempotency === undefined) return E.right(O.none)
  return E.map(({ generation: _, ...key }: StoredHold): O.Option<HeldIdempotencyKey> => O.some(key))(
    decodeHold(document),
  )
}

const pageOf = (documents: readonly PetDocument[]): ArchivePage => {
  const records: PetRecord[] = []
  const damaged: Damage[] = []
  for (const document of documents) {
    const event = decodeEvent(document)
    if (E.isLeft(event)) {
      damaged.push(event.left)
      continue
    }
    const key = heldBy(document)
    if (E.isLeft(key)) damaged.push(key.left)
    records.push({ event: event.right, idempotencyKey: E.isRight(key) ? key.right : O.none })
  }
  return { records, damaged, next: O.fromNullable(documents[PAGE - 1]?._id) }
}

const readPage = async (database: Db, after: bigint): Promise<ArchivePage> => {
  const filter = { _id: { ...PET_IDS, $gt: after }, ...NOT_VOID }
  const options = { ...DURABLE_READ, sort: { _id: 1 }, limit: PAGE, batchSize: PAGE + 1 } as const
  const page = pageOf(await readDocuments(petsIn(database), filter, options))
  return after > 0n ? page : { ...page, damaged: [...page.damaged, ...(await unreachablePets(database))] }
}

/** What to do with each record, as the store is now; and the voids in the way, which readers of the log have left. */
const lookUp = async (database: Db, records: readonly PetRecord[]) => {
  const ids = records.map(({ event }) => event.pet.id)
  const found = await readDocuments(petsIn(database), { _id: { $in: ids } }, DURABLE_READ)
  const stored = new Map(found.filter((document) => !isVoid(document)).map((one) => [String(one._id), one]))
  const decisions = records.map(({ event }) =>
    decideRestore(event, O.map(decodeEvent)(O.fromNullable(stored.get(String(event.pet.id))))),
  )
  return { decisions, voids: found.filter(isVoid) }
}

/** Safe to repeat. A refused insert was done by a lost attempt or by another program; a second look-up tells which. */
const restoreAll = async (database: Db, records: readonly PetRecord[]): Promise<readonly Restored[]> => {
  const { decisions, voids } = await lookUp(database, records)
  const deletes = voids.map(({ _id }) => ({ q: { _id, ...VOIDS }, limit: 1 }))
  if (deletes.length > 0) await writeUnlessTaken(database, { delete: PETS, deletes })
  const documents = records.filter((_, at) => decisions[at] === 'added').map((record) => petDocument(record))
  if (documents.length === 0) return decisions
  const { size } = await writeUnlessTaken(database, { insert: PETS, documents })
  if (size === 0) return decisions
  const again = await lookUp(database, records)
  if (again.decisions.includes('added')) throw new Error('another program writes to the database during the import')
  return again.decisions.map((decision, at) => (decision === 'unchanged' ? (decisions[at] ?? decision) : decision))
}

export const makeMongoArchive = (
  { open }: Database,
  ensureIndexes: () => Promise<void>,
  reportDamage: ReportDamage,
): Archive => {
  let isPrepared = false

  const call = <A>(work: (database: Db) => Promise<A>): TE.TaskEither<Unavailable, A> =>
    TE.tryCatch(async () => {
      const database = await open()
      return repeatTransient(() => work(database))
    }, failedCall)

  const restore = batch(
    async (records: readonly PetRecord[]) => {
      const database = await open()
      if (!isPrepared) await ensureIndexes()
      isPrepared = true
      return repeatTransient(() => restoreAll(database, records))
    },
    { concurrency: 1, maxItems: 500, timeoutMs: RESTORE_TIMEOUT_MS },
  )

  return {
    lastId: call(async (database) => {
      const last = decodeLast(await countersIn(database).findOne({ _id: COUNTER }, DURABLE_READ), MAX_PET_ID)
      if (E.isLeft(last)) reportDamage(last.left)
      return E.getOrElse(() => 0n)(last)
    }),
    read: (after) => call((database) => readPage(database, after)),
    restore: (record) => TE.tryCatch(() => restore(record), failedCall),
    // makes the last id the end of the log, and records all lower unused ids as skipped
    end: (last) =>
      call(async (database) => {
        if (last === 0n) return
        await makeIdCounter({ database, reportDamage }).skip([[1, Number(last) - 1]], last)
        // if the counter is lost, it resumes above this document
        await insertVoids(database, [last])
        await saveEnd(database, last)
      }),
  }
}
