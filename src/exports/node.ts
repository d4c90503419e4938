// `animal-store/node`, for whoever runs the domain on Node: clock, crypto, the event relay and the webhook.
export { nodeCrypto, systemClock } from '../adapters/node/system.js'
export { DEFAULT_RELAY, type Relay, type RelaySettings, startRelay } from '../adapters/relay/relay-loop.js'
export * from '../adapters/webhook/event-publisher.js'
export { type WebhookUrl, webhookSecrets, webhookUrl } from '../config/events-url.js'
