// The archive of a MongoDB store: on the client for maintenance, whose commands may take their time.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db } from 'mongodb'
import type { ArchiveRecord, MergeResult } from '../../../domain/archive/archive-record.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import { unavailable } from '../../../domain/errors.js'
import type { Archive } from '../../../ports/archive.js'
import type { ReportDamage } from '../../../ports/notice.js'
import type { LazyDatabase } from '../connection/client.js'
import { repeatStep } from '../connection/commands.js'
import { type IdCounter, makeIdCounter } from '../id-counter.js'
import { insertVoids } from '../log/gaps.js'
import { API_KEYS, PETS } from '../schema/collections.js'
import { readArchive } from './archive-reading.js'
import { mergeIdempotencyKeys } from './idempotency-key-merging.js'
import { mergeApiKey, mergePets } from './merging.js'

/** Raises the counter to an id that another store has drawn. The end of the leap is a document: see log/gaps.ts. */
const raise = async (database: Db, counter: IdCounter, last: bigint): Promise<MergeResult> => {
  const before = await repeatStep(() => counter.raiseTo(last))
  if (O.isNone(before)) return { _tag: 'Unchanged' }
  await repeatStep(() => insertVoids(database, [last]))
  return { _tag: 'Updated', skipped: [Number(before.value) + 1, Number(last)] }
}

/** Merges in order of dependency: the counter is raised above the pets first, and idempotency keys come after their pets. */
const mergeAll = async (
  database: Db,
  counter: IdCounter,
  records: readonly ArchiveRecord[],
  now: Instant,
): Promise<readonly MergeResult[]> => {
  const tagged = <T extends ArchiveRecord['_tag']>(tag: T) =>
    records.filter((record): record is Extract<ArchiveRecord, { readonly _tag: T }> => record._tag === tag)
  const states: MergeResult[] = []
  for (const { lastId } of tagged('StoreState')) states.push(await raise(database, counter, lastId))
  const apiKeys: MergeResult[] = []
  for (const record of tagged('ApiKey')) apiKeys.push(await mergeApiKey(database, record))
  const pets = tagged('Pet')
  const last = pets.reduce((max, { event: { pet } }) => (pet.id > max ? pet.id : max), 0n)
  await repeatStep(() => counter.raiseTo(last))
  const results = {
    StoreState: states,
    ApiKey: apiKeys,
    Pet: await mergePets(database, pets),
    IdempotencyKey: await mergeIdempotencyKeys(database, tagged('IdempotencyKey'), now),
  }
  return records.flatMap(({ _tag }) => results[_tag].shift() ?? [])
}

/** `prepare` ensures collections and indexes. */
export const makeMongoArchive = (
  { open }: Pick<LazyDatabase, 'open'>,
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
    read: readArchive(open),
    merge: (records, now) =>
      inDatabase(async (database) => {
        if (!isPrepared) await prepare(database)
        isPrepared = true
        return mergeAll(database, makeIdCounter({ database, reportDamage }), records, now)
      }),
  }
}
