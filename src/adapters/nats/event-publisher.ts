// Publishes events to NATS JetStream as CloudEvents in structured mode.
import { JetStreamApiError, type JetStreamClient, jetstream } from '@nats-io/jetstream'
import { errors, headers, type NatsConnection } from '@nats-io/transport-node'
import * as O from 'fp-ts/lib/Option.js'
import { cloudEventJson, cloudEventType } from '../../domain/events/cloud-event.js'
import type { DomainEvent } from '../../domain/events/domain-event.js'
import type { Delivery, EventPublisher } from '../../ports/event-publisher.js'
import type { Notify } from '../../ports/notice.js'
import type { NatsAddress } from './address.js'
import { openNatsLink } from './connection.js'
import { isUnheard, makeEnsureStream, streamName } from './event-stream.js'
import type { NatsPublisherSettings } from './settings.js'

/** Limit for the broker to acknowledge an event; the events of a batch wait concurrently. */
const ACKNOWLEDGE_TIMEOUT_MS = 5_000
/** JetStream's error code for a message larger than the stream accepts. */
const MESSAGE_TOO_LARGE_FOR_STREAM = 10_054

const failed = (reason: string): Delivery => ({ _tag: 'Failed', reason })

/** Checked, because any other subscriber to the subject may reply first, with anything. */
const isAcknowledgement = ({ stream, seq }: { readonly [K in 'stream' | 'seq']: unknown }): boolean =>
  typeof stream === 'string' && stream !== '' && Number.isInteger(seq) && Number(seq) >= 1

const isPoison = (error: unknown): boolean =>
  // the client refuses a message larger than the server's max_payload
  error instanceof errors.InvalidArgumentError ||
  (error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE_FOR_STREAM)

/** Starts without a broker. Structured mode keeps events whole when they are stored or forwarded. Subject: the type. */
export const makeNatsPublisher = (
  address: NatsAddress,
  settings: NatsPublisherSettings,
  notify: Notify,
): Required<EventPublisher> => {
  const ensureStream = makeEnsureStream(settings, notify)
  const link = openNatsLink(address, ensureStream, notify)
  const isConnected = (): boolean => O.isSome(link.current())

  const whyUnstored = (subject: string): string =>
    `no stream accepts the subject ${subject}, neither ${streamName(settings.typePrefix)} nor another one`

  const publishOne = async (client: JetStreamClient, event: DomainEvent): Promise<Delivery> => {
    const form = headers()
    form.set('content-type', 'application/cloudevents+json')
    const subject = cloudEventType(event._tag, settings)
    try {
      const reply = await client.publish(subject, cloudEventJson(event, settings), {
        msgID: event.eventId,
        timeout: ACKNOWLEDGE_TIMEOUT_MS,
        headers: form,
      })
      return isAcknowledgement(reply)
        ? { _tag: 'Delivered' }
        : failed(`the reply is not an acknowledgement of JetStream: ${whyUnstored(subject)}`)
    } catch (error) {
      if (isPoison(error)) return { _tag: 'Poisoned', reason: String(error) }
      return failed(isUnheard(error) ? whyUnstored(subject) : String(error))
    }
  }

  const publishAll = async (
    connection: NatsConnection,
    events: readonly DomainEvent[],
  ): Promise<readonly Delivery[]> => {
    const client = jetstream(connection)
    const deliveries = events.map(() => failed('lost the event broker before it acknowledged'))
    const publishing = events.map(async (event, at) => {
      deliveries[at] = await publishOne(client, event)
    })
    await link.untilLost(Promise.all(publishing))
    // if another client subscribes to the subject, a missing stream shows only as a missing or wrong reply
    if (deliveries.some(({ _tag }) => _tag === 'Failed') && isConnected()) void ensureStream(connection)
    return [...deliveries]
  }

  return {
    publish: (events) => async () => {
      const connection = link.current()
      return O.isSome(connection)
        ? publishAll(connection.value, events)
        : events.map(() => failed('not connected to the event broker'))
    },
    isConnected,
    close: link.close,
  }
}
