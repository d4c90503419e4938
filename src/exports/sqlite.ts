// `animal-store/sqlite`, to keep pets on one machine, durably, in one file. Needs @photostructure/sqlite.
export { openSqliteStore, type SqliteStoreSettings } from '../adapters/sqlite/store.js'
export type { ArchivedStore, Unavailable } from './domain.js'
