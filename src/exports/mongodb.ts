// `animal-store/mongodb`, to run several instances over one store. Needs mongodb.
export { ensureIndexes } from '../adapters/mongodb/schema.js'
export { type MongoStoreSettings, openMongoStore } from '../adapters/mongodb/store.js'
export type { ArchivedStore, Unavailable } from './domain.js'
