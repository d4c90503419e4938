// The archive of a MongoDB store: on the client for maintenance, whose commands may take their time.
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from 'mongodb'
import type { ArchiveRecord, IdempotencyKeyArchived, PetArchived } from '../../../domain/archive/archive-record.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import type { Archive, MergeResult } from '../../../ports/archive.js'
import type { ReportDamage } from '../../../ports/damage-report.js'
import { inDatabaseOf, type LazyDatabase } from '../connection/lazy-database.js'
import { repeatStep } from '../connection/repeat-transient.js'
import type { CounterDocument } from '../documents/counter-document.js'
import type { PetDocument } from '../documents/pet-document.js'
import { type IdCounter, makeIdCounter } from '../id-counter.js'
import { insertVoids } from '../log/gaps.js'
import { COUNTERS, PETS } from '../schema/collections.js'
import { mergeApiKey } from './api-key-merging.js'
import { archiveSize, readArchive } from './archive-reading.js'
import { mergeIdempotencyKeys } from './idempotency-key-merging.js'
import { mergePets } from './pet-merging.js'

export interface MongoArchiveSettings extends Pick<LazyDatabase, 'open'> {
  /** Ensures collections and indexes. */
  readonly prepare: (database: Db) => Promise<void>
  readonly reportDamage: ReportDamage
}

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
  const results = new Map<number, MergeResult>()
  const pets = new Map<number, PetArchived>()
  const keys = new Map<number, IdempotencyKeyArchived>()
  let last = 0n
  for (const [at, record] of records.entries()) {
    switch (record._tag) {
      case 'StoreState':
        results.set(at, await raise(database, counter, record.lastId))
        break
      case 'ApiKey':
        results.set(at, await mergeApiKey(database, record))
        break
      case 'Pet':
        if (record.event.pet.id > last) last = record.event.pet.id
        pets.set(at, record)
        break
      case 'IdempotencyKey':
        keys.set(at, record)
    }
  }
  await repeatStep(() => counter.raiseTo(last))
  const added = await mergePets(database, [...pets.values()])
  const merged = [...added, ...(await mergeIdempotencyKeys(database, [...keys.values()], now))]
  for (const [index, at] of [...pets.keys(), ...keys.keys()].entries()) {
    const result = merged[index]
    if (result !== undefined) results.set(at, result)
  }
  return records.flatMap((_, at) => results.get(at) ?? [])
}

export const makeMongoArchive = ({ open, prepare, reportDamage }: MongoArchiveSettings): Archive => {
  const inDatabase = inDatabaseOf({ open })

  let prepared: Promise<void> | undefined
  const ready = async (database: Db): Promise<void> => {
    prepared ??= prepare(database)
    try {
      await prepared
    } catch (error) {
      prepared = undefined
      throw error
    }
  }

  const counterIn = (database: Db): IdCounter =>
    makeIdCounter({
      counters: database.collection<CounterDocument>(COUNTERS),
      pets: database.collection<PetDocument>(PETS),
      reportDamage,
    })

  return {
    size: inDatabase((database) => repeatStep(() => archiveSize(database))),
    read: readArchive({ open }),
    merge: (records, now) =>
      inDatabase(async (database) => {
        await ready(database)
        return mergeAll(database, counterIn(database), records, now)
      }),
  }
}
