import { onTestFinished } from 'vitest'
import { DEADLINES, type Deadlines } from '../../../src/adapters/mongodb/connection/connection.js'
import { type MongoStoreSettings, makeMongoStore } from '../../../src/adapters/mongodb/store.js'
import type { Damage, Notify } from '../../../src/ports/notice.js'

/** So long that no test depends on how busy the machine is. */
const NO_DEADLINES: Deadlines = { operationMs: 60_000, openingMs: 60_000, countMs: 60_000 }

/** Short enough for tests, and longer than their creates take. */
const CREATE_TIMEOUT_MS = 400

export const openStoreOf = (
  uri: string,
  settings: Partial<MongoStoreSettings> = {},
  createTimeoutMs = CREATE_TIMEOUT_MS,
  deadlines: Partial<Deadlines> = {},
) => {
  const damages: Damage[] = []
  const reportDamage = (damage: Damage) => damages.push(damage)
  const store = makeMongoStore({ uri, reportDamage, notify: () => {}, ...settings }, createTimeoutMs, {
    ...NO_DEADLINES,
    ...deadlines,
  })
  onTestFinished(store.close)
  return { ...store, damages }
}

/** With the service's own deadlines, for tests in which they pass. */
export const openStoreWithDeadlines = (uri: string, notify: Notify = () => {}) =>
  openStoreOf(uri, { notify }, CREATE_TIMEOUT_MS, DEADLINES)
