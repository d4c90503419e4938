// Opens MongoDB stores for tests, and closes them when the test ends.
import { onTestFinished } from 'vitest'
import { type MongoStoreSettings, makeMongoStore } from '../../../src/adapters/mongodb/store.js'
import type { Damage } from '../../../src/ports/notice.js'
import type { ArchivedStore } from '../../../src/ports/store.js'

export interface ReportingStore extends ArchivedStore {
  /** The reported damages, in order. */
  readonly damages: readonly Damage[]
}

/** Short enough for tests, and longer than their creates take. */
const PATIENCE_MS = 400

export const openStoreOf = (
  uri: string,
  settings: Partial<MongoStoreSettings> = {},
  patienceMs = PATIENCE_MS,
): ReportingStore => {
  const damages: Damage[] = []
  const reportDamage = (damage: Damage) => damages.push(damage)
  const store = makeMongoStore({ uri, reportDamage, notify: () => {}, ...settings }, patienceMs)
  onTestFinished(store.close)
  return { ...store, damages }
}
