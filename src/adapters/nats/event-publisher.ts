// Publishes events to NATS JetStream, as CloudEvents in structured mode.
import { JetStreamApiError, type JetStreamClient, jetstream } from '@nats-io/jetstream'
import { errors, headers, type NatsConnection } from '@nats-io/transport-node'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { type CloudEventSettings, cloudEventJson, cloudEventType, cloudEventTypes } from '../../domain/cloud-event.js'
import type { DomainEvent } from '../../domain/domain-event.js'
import type { Delivery, EventPublisher } from '../../ports/event-publisher.js'
import type { Notify } from '../../ports/notice.js'
import type { NatsAddress } from './address.js'
import { openNatsLink } from './connection.js'
import { makeEnsureStream } from './event-stream.js'

/** Milliseconds for the broker to acknowledge an event; the events of a batch wait side by side. */
const ACKNOWLEDGE_TIMEOUT = 5_000
/** The server's code for a message larger than its stream takes. */
const MESSAGE_TOO_LARGE_FOR_STREAM = 10_054

const failed = (reason: string): Delivery => ({ _tag: 'Failed', reason })

const isPoison = (error: unknown): boolean =>
  // the client refuses what is larger than the server's max_payload
  error instanceof errors.InvalidArgumentError ||
  (error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE_FOR_STREAM)

export interface NatsPublisher extends EventPublisher {
  readonly close: Task<void>
}

/**
 * Needs no broker to start. Structured mode is the one form that every version of the CloudEvents NATS binding knows,
 * and keeps the event whole when it is stored or forwarded. The subject is the event's type.
 *
 * @example
 * const address = { server: '127.0.0.1:9', isTls: false, credentials: { _tag: 'None' as const } }
 * const settings = { source: 'https://pets.example/v1', typePrefix: 'org.example' }
 * const publisher = makeNatsPublisher(address, settings, ({ message }) => console.error(message))
 * await publisher.close()
 */
export const makeNatsPublisher = (
  address: NatsAddress,
  settings: CloudEventSettings,
  notify: Notify,
): NatsPublisher => {
  const ensureStream = makeEnsureStream(cloudEventTypes(settings), settings, notify)
  const link = openNatsLink(address, ensureStream, notify)

  const publishOne = async (client: JetStreamClient, event: DomainEvent): Promise<Delivery> => {
    const form = headers()
    form.set('content-type', 'application/cloudevents+json')
    try {
      await client.publish(cloudEventType(event._tag, settings), cloudEventJson(event, settings), {
        msgID: event.eventId,
        timeout: ACKNOWLEDGE_TIMEOUT,
        headers: form,
      })
      return { _tag: 'Delivered' }
    } catch (error) {
      return isPoison(error) ? { _tag: 'Poisoned', reason: String(error) } : failed(String(error))
    }
  }

  const publishAll = async (
    connection: NatsConnection,
    events: readonly DomainEvent[],
  ): Promise<readonly Delivery[]> => {
    const client = jetstream(connection)
    const deliveries = await Promise.all(events.map((event) => publishOne(client, event)))
    // a missing stream shows as no answer at all where somebody else listens to the subject
    if (deliveries.some(({ _tag }) => _tag === 'Failed') && !connection.isClosed()) void ensureStream(connection)
    return deliveries
  }

  return {
    publish: (events) => async () => {
      const connection = link.current()
      return O.isSome(connection)
        ? publishAll(connection.value, events)
        : events.map(() => failed('not connected to the event broker'))
    },
    close: link.close,
  }
}
