// Times the calls of the storage ports, and records what a store measures: commands, batches, pools, data file.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Damage } from '../../ports/notice.js'
import type { StoreLevels, StoreObserver } from '../../ports/observer.js'
import type { Instrument, StoreOperation } from '../../ports/store.js'
import { type Instruments, show } from './catalogue.js'

/** Series that exist from the start: `increase()` would miss the first count of a new series. */
const RECORDS: Readonly<Record<Damage['record'], true>> = {
  pet: true,
  'API key': true,
  'id counter': true,
  'idempotency key': true,
  'relay record': true,
}

export const measureStore = (metrics: Instruments) => {
  let readLevels: (() => StoreLevels) | undefined
  for (const record of Object.keys(RECORDS)) metrics.animal_store_damaged_records_total.inc({ record }, 0)

  const operation = (name: StoreOperation): Instrument => {
    const labels = { operation: name }
    metrics.animal_store_operation_duration_seconds.zero(labels)
    metrics.animal_store_operation_failures_total.inc(labels, 0)
    // async/await, because attaching separate continuations takes longer
    return (call) => async () => {
      const start = performance.now()
      let hasFailed = true
      try {
        const result = await call()
        hasFailed = E.isLeft(result)
        return result
      } finally {
        metrics.animal_store_operation_duration_seconds.observe(labels, (performance.now() - start) / 1_000)
        if (hasFailed) metrics.animal_store_operation_failures_total.inc(labels)
      }
    }
  }

  const storeObserver: StoreObserver = {
    command: (command, milliseconds, hasFailed) => {
      metrics.animal_store_command_duration_seconds.observe({ command }, milliseconds / 1_000)
      metrics.animal_store_command_failures_total.inc({ command }, Number(hasFailed))
    },
    batch: (name, calls) => metrics.animal_store_batch_size.observe({ operation: name }, calls),
    watch: (commands, read) => {
      for (const command of commands) {
        metrics.animal_store_command_duration_seconds.zero({ command })
        metrics.animal_store_command_failures_total.inc({ command }, 0)
      }
      readLevels = read
    },
  }

  const collect = (): void => {
    // a closed store, or one whose files are gone, has no levels; their metrics are then absent
    const levels = readLevels && O.toUndefined(O.tryCatch(readLevels))
    const database = levels?._tag === 'Pools' ? levels : undefined
    const file = levels?._tag === 'File' ? levels : undefined
    show(metrics.animal_store_database_writable, database?.isWritable)
    metrics.animal_store_database_connections.reset()
    metrics.animal_store_database_waiting.reset()
    for (const { pool, inUse, idle, waiting } of database?.pools ?? []) {
      metrics.animal_store_database_connections.set({ pool, state: 'in_use' }, inUse)
      metrics.animal_store_database_connections.set({ pool, state: 'idle' }, idle)
      metrics.animal_store_database_waiting.set({ pool }, waiting)
    }
    show(metrics.animal_store_data_file_bytes, file?.fileBytes)
    show(metrics.animal_store_data_log_bytes, file?.logBytes)
    show(metrics.animal_store_data_file_free_bytes, file?.freeBytes)
    show(metrics.animal_store_disk_bytes, file?.diskBytes)
    show(metrics.animal_store_disk_available_bytes, file?.diskAvailableBytes)
    show(metrics.animal_store_backup_timestamp_seconds, file && file.lastBackupMs / 1_000)
  }

  const damaged = ({ record }: Damage): void => metrics.animal_store_damaged_records_total.inc({ record })
  return { operation, storeObserver, damaged, collect }
}
