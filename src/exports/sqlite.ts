// `animal-store/sqlite`, for whoever keeps pets on one machine: the embedded durable store in one file; needs @photostructure/sqlite.
export { openSqliteStore, type SqliteStoreSettings } from '../adapters/sqlite/store.js'
export type { ArchivedStore, Unavailable } from './domain.js'
