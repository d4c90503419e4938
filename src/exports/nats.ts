// The entry point `animal-store/nats`: events to NATS JetStream; needs @nats-io/transport-node and @nats-io/jetstream.
export type { NatsAddress } from '../adapters/nats/address.js'
export { makeNatsPublisher, type NatsPublisher, type NatsPublisherSettings } from '../adapters/nats/event-publisher.js'
export { type NatsUrl, natsAddress } from '../config/events-url.js'
