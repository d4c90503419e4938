// The entry point `animal-store/mongodb`: a store that several instances share; needs mongodb.
export { ensureIndexes } from '../adapters/mongodb/schema/indexes.js'
export { type MongoStoreSettings, openMongoStore } from '../adapters/mongodb/store.js'
