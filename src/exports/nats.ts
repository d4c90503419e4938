// The entry point `animal-store/nats`: events to NATS JetStream; needs @nats-io/transport-node and @nats-io/jetstream.
export { makeNatsPublisher, type NatsPublisher } from '../adapters/nats/event-publisher.js'
export type { NatsAddress, NatsPublisherSettings } from '../adapters/nats/settings.js'
export { type NatsUrl, natsAddress } from '../config/events-url.js'
