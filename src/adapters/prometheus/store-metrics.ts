// Times the calls of the storage ports, and counts what a store measures itself: commands, batches, pools, the data file.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Damage } from '../../ports/notice.js'
import type { Around, StoreOperation } from '../../ports/store.js'
import type { StoreLevels, StoreObserver } from '../../ports/store-observer.js'
import { one } from './catalogue.js'
import { type Counter, counter, durations, type Histogram, madeOnce, samplesBy, sizes } from './histogram.js'

/** Each series exists from the start: `increase()` would miss the first damage of a new series. */
const RECORDS: Readonly<Record<Damage['record'], true>> = {
  pet: true,
  'API key': true,
  'id counter': true,
  'idempotency key': true,
  'relay record': true,
}

interface Calls {
  readonly times: Histogram
  failures: number
}

const calls = (): Calls => ({ times: durations(), failures: 0 })

const observe = (called: Calls, milliseconds: number, hasFailed: boolean): void => {
  called.times.observe(milliseconds)
  if (hasFailed) called.failures += 1
}

const timesOf = ({ times }: Calls) => times.read()
const failuresOf = ({ failures }: Calls): number => failures

const levelSamples = (levels: StoreLevels | undefined) => {
  const database = levels?._tag === 'Pools' ? levels : undefined
  const file = levels?._tag === 'File' ? levels : undefined
  const pools = database?.pools ?? []
  return {
    animal_store_database_writable: one(database && Number(database.isWritable)),
    animal_store_database_connections: pools.flatMap(({ pool, inUse, idle }) => [
      { labels: { pool, state: 'in_use' }, value: inUse },
      { labels: { pool, state: 'idle' }, value: idle },
    ]),
    animal_store_database_waiting: pools.map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
    animal_store_data_file_bytes: one(file?.fileBytes),
    animal_store_data_file_free_bytes: one(file?.freeBytes),
    animal_store_disk_bytes: one(file?.diskBytes),
    animal_store_disk_available_bytes: one(file?.diskAvailableBytes),
    animal_store_backup_timestamp_seconds: one(file && file.lastBackupMs / 1_000),
  }
}

export const makeStoreMetrics = () => {
  const operations = new Map<string, Calls>()
  const commands = new Map<string, Calls>()
  const batches = new Map<string, Histogram>()
  const damages = new Map<string, Counter>(Object.keys(RECORDS).map((record) => [record, counter()]))
  let readLevels: (() => StoreLevels) | undefined

  const operation = (name: StoreOperation): Around => {
    const called = madeOnce(operations, name, calls)
    // takes 0.2 µs; continuations beside the caller would take three times as long
    return (call) => async () => {
      const start = performance.now()
      let hasFailed = true
      try {
        const result = await call()
        hasFailed = E.isLeft(result)
        return result
      } finally {
        observe(called, performance.now() - start, hasFailed)
      }
    }
  }
  const observer: StoreObserver = {
    command: (name, milliseconds, hasFailed) => observe(madeOnce(commands, name, calls), milliseconds, hasFailed),
    batch: (name, size) => madeOnce(batches, name, sizes).observe(size),
    watch: (names, read) => {
      for (const name of names) madeOnce(commands, name, calls)
      readLevels = read
    },
  }
  const damaged = ({ record }: Damage): void => {
    madeOnce(damages, record, counter).count += 1
  }
  const read = () => ({
    animal_store_damaged_records_total: samplesBy('record', damages, ({ count }) => count),
    animal_store_operation_duration_seconds: samplesBy('operation', operations, timesOf),
    animal_store_operation_failures_total: samplesBy('operation', operations, failuresOf),
    animal_store_command_duration_seconds: samplesBy('command', commands, timesOf),
    animal_store_command_failures_total: samplesBy('command', commands, failuresOf),
    animal_store_batch_size: samplesBy('operation', batches, (batch) => batch.read()),
    ...levelSamples(readLevels && O.toUndefined(O.tryCatch(readLevels))),
  })
  return { operation, observer, damaged, read }
}
