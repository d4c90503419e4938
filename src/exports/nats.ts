// `animal-store/nats`, to publish events to NATS JetStream. Needs @nats-io/transport-node and @nats-io/jetstream.

export { type NatsAddress, natsAddress } from '../adapters/nats/address.js'
export { makeNatsPublisher } from '../adapters/nats/event-publisher.js'
export type { NatsPublisherSettings } from '../adapters/nats/settings.js'
export type { Delivery, EventPublisher, Notify } from './domain.js'
