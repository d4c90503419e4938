// Opens MongoDB stores for tests, and closes them when the test ends.
import { onTestFinished } from 'vitest'
import { DEADLINES, type Deadlines } from '../../../src/adapters/mongodb/connection/connection.js'
import { type MongoStoreSettings, makeMongoStore } from '../../../src/adapters/mongodb/store.js'
import type { Damage, Notify } from '../../../src/ports/notice.js'
import type { ArchivedStore } from '../../../src/ports/store.js'

export interface ReportingStore extends ArchivedStore {
  /** The reported damages, in order. */
  readonly damages: readonly Damage[]
}

/** So long that no test depends on how busy the machine is. */
const NO_DEADLINES: Deadlines = { operationMs: 60_000, openingMs: 60_000, countMs: 60_000 }

/** Short enough for tests, and longer than their creates take. */
const PATIENCE_MS = 400

export const openStoreOf = (
  uri: string,
  settings: Partial<MongoStoreSettings> = {},
  patienceMs = PATIENCE_MS,
  deadlines: Partial<Deadlines> = {},
): ReportingStore => {
  const damages: Damage[] = []
  const reportDamage = (damage: Damage) => damages.push(damage)
  const store = makeMongoStore({ uri, reportDamage, notify: () => {}, ...settings }, patienceMs, {
    ...NO_DEADLINES,
    ...deadlines,
  })
  onTestFinished(store.close)
  return { ...store, damages }
}

/** With the deadlines of the service, for tests of what happens when they pass. */
export const openStoreWithDeadlines = (uri: string, notify: Notify = () => {}): ReportingStore =>
  openStoreOf(uri, { notify }, PATIENCE_MS, DEADLINES)
