// `animal-store/nats`, to publish events to NATS JetStream. Needs @nats-io/transport-node and @nats-io/jetstream.

export { makeNatsPublisher } from '../adapters/nats/event-publisher.js'
export type { NatsAddress, NatsPublisherSettings } from '../adapters/nats/settings.js'
export { type NatsUrl, natsAddress } from '../config/parsers.js'
export type { Delivery, EventPublisher, Notify } from './domain.js'
