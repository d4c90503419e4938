// `animal-store/sqlite`, to keep pets on one machine, durably, in one file. On Node 20, it needs @photostructure/sqlite.
export { openSqliteStore, type SqliteStoreSettings } from '../adapters/sqlite/store.js'
export type { ArchivedStore, Unavailable } from './domain.js'
