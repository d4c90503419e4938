// The entry point `animal-store/node`: the ports that Node itself implements, the event relay, and batching for adapters.
export { type BatchSettings, batch, type Lane, makeLane } from '../adapters/mongodb/batching/batch.js'
export { type ShareSettings, shareEqual } from '../adapters/mongodb/batching/share-equal.js'
export { nodeCrypto, systemClock } from '../adapters/node/system.js'
export { DEFAULT_RELAY, type Relay, type RelayLoopSettings, startRelay } from '../adapters/relay/relay-loop.js'
