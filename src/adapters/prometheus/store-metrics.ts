// The measurements that a store makes itself: commands, batches, pools, the data file.
import * as O from 'fp-ts/lib/Option.js'
import type { Damage } from '../../ports/damage-report.js'
import type { StoreLevels, StoreObserver } from '../../ports/store-observer.js'
import { one, type Samples } from './catalogue.js'
import { durations, madeOnce, sizes } from './histogram.js'

type Names =
  | 'animal_store_damaged_records_total'
  | 'animal_store_command_duration_seconds'
  | 'animal_store_command_failures_total'
  | 'animal_store_batch_size'

type LevelNames =
  | 'animal_store_mongodb_writable'
  | 'animal_store_mongodb_connections'
  | 'animal_store_mongodb_waiting'
  | 'animal_store_lmdb_file_bytes'
  | 'animal_store_lmdb_disk_available_bytes'

export interface StoreMetrics {
  readonly observer: StoreObserver
  readonly damaged: (damage: Damage) => void
  readonly read: () => Pick<Samples, Names | LevelNames>
}

/** Each series exists from the start: `increase()` would miss the first damage of a new series. */
const RECORDS: Readonly<Record<Damage['record'], true>> = {
  pet: true,
  'API key': true,
  'id counter': true,
  'idempotency key': true,
  'relay record': true,
}

const NO_LEVELS = {
  animal_store_mongodb_writable: [],
  animal_store_mongodb_connections: [],
  animal_store_mongodb_waiting: [],
  animal_store_lmdb_file_bytes: [],
  animal_store_lmdb_disk_available_bytes: [],
} as const satisfies Pick<Samples, LevelNames>

const levelSamples = (levels: StoreLevels): Pick<Samples, LevelNames> => {
  switch (levels._tag) {
    case 'Pools':
      return {
        ...NO_LEVELS,
        animal_store_mongodb_writable: one(levels.isWritable ? 1 : 0),
        animal_store_mongodb_connections: levels.pools.flatMap(({ pool, inUse, idle }) => [
          { labels: { pool, state: 'in_use' }, value: inUse },
          { labels: { pool, state: 'idle' }, value: idle },
        ]),
        animal_store_mongodb_waiting: levels.pools.map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
      }
    case 'File':
      return {
        ...NO_LEVELS,
        animal_store_lmdb_file_bytes: one(levels.fileBytes),
        animal_store_lmdb_disk_available_bytes: one(levels.diskAvailableBytes),
      }
  }
}

export const makeStoreMetrics = (): StoreMetrics => {
  const commands = madeOnce(() => ({ times: durations(), failures: 0 }))
  const batches = madeOnce(sizes)
  const damages = madeOnce(() => ({ count: 0 }))
  for (const record of Object.keys(RECORDS)) damages.of(record)
  let readLevels: (() => StoreLevels) | undefined

  const levels = (): Pick<Samples, LevelNames> => {
    const known = readLevels === undefined ? O.none : O.tryCatch(readLevels)
    return O.isSome(known) ? levelSamples(known.value) : NO_LEVELS
  }

  return {
    observer: {
      command: (name, milliseconds, hasFailed) => {
        const command = commands.of(name)
        command.times.observe(milliseconds)
        if (hasFailed) command.failures += 1
      },
      batch: (operation, calls) => batches.of(operation).observe(calls),
      watch: (read) => {
        readLevels = read
      },
    },
    damaged: ({ record }) => {
      damages.of(record).count += 1
    },
    read: () => ({
      animal_store_damaged_records_total: [...damages.all].map(([record, { count }]) => ({
        labels: { record },
        value: count,
      })),
      animal_store_command_duration_seconds: [...commands.all].map(([command, { times }]) => ({
        labels: { command },
        value: times.read(),
      })),
      animal_store_command_failures_total: [...commands.all].map(([command, { failures }]) => ({
        labels: { command },
        value: failures,
      })),
      animal_store_batch_size: [...batches.all].map(([operation, calls]) => ({
        labels: { operation },
        value: calls.read(),
      })),
      ...levels(),
    }),
  }
}
