// Publishes events to a webhook: one POST each, as CloudEvents in structured mode, signed by Standard Webhooks 1.0.
import { createHmac } from 'node:crypto'
import { type CloudEventSettings, cloudEventJson } from '../../domain/events/cloud-event.js'
import type { DomainEvent } from '../../domain/events/domain-event.js'
import { retryAfterMs } from '../../domain/retry-after.js'
import type { Clock } from '../../ports/clock.js'
import type { Delivery, EventPublisher } from '../../ports/event-publisher.js'
import { openLink } from './post.js'

/** Limit for the response, without its body. */
const RESPONSE_TIMEOUT_MS = 15_000
/** A call starts no further request after this time, to let the relay save its position. */
const PUBLISH_MS = 500
/** Statuses that mean that the receiver will never accept this event. */
const REFUSED = new Set([400, 413, 415, 422])
const GONE = 410
const GONE_WAIT_MS = 5_000

export interface WebhookAddress {
  /** https, or http on this machine: `webhookUrl` checks a text. */
  readonly url: string
  /** One or two `whsec_…`: `webhookSecrets` checks a text. Each signs every event. */
  readonly secrets: readonly string[]
}

/** One signature per secret, so that the receiver may know either one while a secret is being replaced. */
const signedHeaders = (secrets: readonly string[], id: string, seconds: number, body: string) => {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}

const deliveryOf = (status: number, retryAfter: string | undefined, now: number): Delivery => {
  const reason = `the webhook responded with ${status}`
  if (status >= 200 && status < 300) return { _tag: 'Delivered' }
  if (REFUSED.has(status)) return { _tag: 'Poisoned', reason }
  const askedMs = retryAfterMs(retryAfter, now) ?? 0
  const wait = status === GONE ? GONE_WAIT_MS : askedMs > 0 ? askedMs : undefined
  return {
    _tag: 'Failed',
    reason: status < 400 ? `${reason}, and redirects are not followed` : reason,
    ...(wait !== undefined && { wait }),
  }
}

/**
 * Sends one request at a time, in order, over a persistent connection. A 2xx response delivers an event; 400, 413, 415
 * and 422 refuse it; any other, or none, is an outage. Does not follow redirects.
 *
 * @example
 * const address = { url: 'https://hooks.example/pets', secrets: ['whsec_cmVwbGFjZSB0aGlzIGJ5IDI0IG9yIG1vcmUgcmFuZG9tIGJ5dGVz'] }
 * const settings = { source: 'https://pets.example/v1', typePrefix: 'org.example', clock: systemClock }
 * const publisher = makeWebhookPublisher(address, settings)
 * await publisher.close()
 */
export const makeWebhookPublisher = (
  address: WebhookAddress,
  { clock, ...settings }: CloudEventSettings & { readonly clock: Clock },
): EventPublisher & Required<Pick<EventPublisher, 'close'>> => {
  const link = openLink(new URL(address.url), RESPONSE_TIMEOUT_MS)

  const deliver = async (event: DomainEvent): Promise<Delivery> => {
    const id = event.eventId
    if (!/^[\x21-\x7e]+$/.test(id)) return { _tag: 'Poisoned', reason: 'its id cannot be the value of a header' }
    const body = cloudEventJson(event, settings)
    const posted = await link.post(body, {
      'content-type': 'application/cloudevents+json',
      'user-agent': 'animal-store',
      ...signedHeaders(address.secrets, id, Math.floor(clock.now() / 1_000), body),
    })
    return posted._tag === 'Response'
      ? deliveryOf(posted.status, posted.headers['retry-after'], clock.now())
      : { _tag: 'Failed', reason: posted.reason }
  }

  return {
    publish: (events) => async () => {
      const until = clock.monotonicMs() + PUBLISH_MS
      const deliveries: Delivery[] = []
      for (const event of events) {
        const delivery = await deliver(event)
        deliveries.push(delivery)
        // stops, so that the order is kept
        if (delivery._tag !== 'Delivered' || clock.monotonicMs() > until) break
      }
      return deliveries
    },
    close: async () => link.close(),
  }
}
