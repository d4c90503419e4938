// The entry point `animal-store/node`: the ports that Node itself implements, the event relay, and batching for adapters.
export { type BatchSettings, batch, type Lane, makeLane } from '../adapters/mongodb/batching/batch.js'
export { type ShareSettings, shareEqual } from '../adapters/mongodb/batching/share-equal.js'
export { systemClock } from '../adapters/node/clock.js'
export { nodeCrypto } from '../adapters/node/crypto.js'
export {
  type Relay,
  startRelay,
} from '../adapters/node/relay-loop.js'
export { DEFAULT_RELAY, type RelayLoopSettings } from '../adapters/node/relay-settings.js'
