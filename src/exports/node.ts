// The entry point `animal-store/node`: the ports that Node itself implements and the event relay.
export { nodeCrypto, systemClock } from '../adapters/node/system.js'
export { DEFAULT_RELAY, type Relay, type RelaySettings, startRelay } from '../adapters/relay/relay-loop.js'
