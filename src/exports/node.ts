// `animal-store/node`, to run the domain on Node: clock, crypto, event relay, webhook, and pages of a fetch handler.

export { documentation } from '../adapters/http/endpoints/documentation.js'
export type { Documentation, PublicEndpoint } from '../adapters/http/route.js'
export { nodeCrypto, systemClock } from '../adapters/node/system.js'
export {
  DEFAULT_RELAY,
  type Relay,
  type RelayPorts,
  type RelaySettings,
  startRelay,
} from '../adapters/relay/relay-loop.js'
export type { BackOff } from '../adapters/relay/waiting.js'
export * from '../adapters/webhook/event-publisher.js'
export { type WebhookUrl, webhookSecrets, webhookUrl } from '../config/parsers.js'
export type { Clock, CloudEventSettings, Crypto, Delivery, EventPublisher, Notify, Ports } from './domain.js'
