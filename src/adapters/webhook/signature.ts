// The headers that identify and sign a message, by Standard Webhooks 1.0.
import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'

/** One signature for each secret, so that a receiver may know the new or the former one while it is replaced. */
export const signedHeaders = (
  secrets: readonly string[],
  id: string,
  seconds: number,
  body: string,
): Readonly<Record<string, string>> => {
  const signed = `${id}.${seconds}.${body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}
