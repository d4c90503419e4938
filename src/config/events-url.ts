// Where events go: the servers of a broker with the credentials for them, or a webhook with the secrets that sign its events.
import * as E from 'fp-ts/lib/Either.js'

/** At most one of them. */
interface Credentials {
  readonly login?: { readonly user: string; readonly pass: string } | { readonly token: string }
  readonly credentialsFile?: string
}

/** The servers of a broker. The tag names the adapter. */
export interface NatsUrl extends Credentials {
  readonly _tag: 'Nats'
  /** `host:port` each. */
  readonly servers: readonly string[]
  readonly isTls: boolean
}

/** The tag names the adapter. */
export interface WebhookUrl {
  readonly _tag: 'Webhook'
  readonly url: string
}

export type EventsUrl = NatsUrl | WebhookUrl

/** Completes the form of an address: what is not encoded ends a password, and the rest would pass for a host. */
export const PERCENT_ENCODING = 'user and password are percent-encoded (@ as %40, / as %2F)'
export const EVENTS_URL_FORM = `nats://… or tls://…, with more servers after commas, or https://… for a webhook; ${PERCENT_ENCODING}`
export const SECRETS_FORM = 'one or two whsec_…, separated by a comma, each with 24 to 64 bytes in base64'

const credentialsOf = (url: URL): Credentials => {
  const credentialsFile = url.searchParams.get('creds')
  if (credentialsFile !== null) return { credentialsFile }
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  if (user === '') return {}
  return { login: pass === '' ? { token: user } : { user, pass } }
}

const NATS = /^\w+:\/\/(?:[^@/?#\s]+@)?[^@/?#\s]+\/?(?:\?creds=[^@?#&\s]+)?$/i

/** One entry of the list; throws if it is not one. */
const entryOf = (text: string) => {
  const url = new URL(text)
  const server = `${url.hostname.toLowerCase()}:${url.port || '4222'}`
  // the driver reads it as such a URL, which refuses more hosts
  if (!NATS.test(text) || !URL.canParse(`http://${server}`)) throw new Error('not a server')
  return { protocol: url.protocol, server, credentials: credentialsOf(url) }
}

/**
 * Reads `nats://host:4222`, `nats://user:password@host`, `nats://token@host`, `nats://host?creds=/path/to/file.creds`,
 * or any of them with `tls://`, which refuses a server without TLS. More servers of one cluster follow after commas, with or
 * without the scheme; all get the same credentials. The left says what was wanted, without the credentials.
 *
 * @example
 * const servers = ['n1.example:4222', 'n2.example:4223']
 * natsAddress('nats://s3cret@n1.example,n2.example:4223') // => E.right({ _tag: 'Nats', servers, isTls: false, login: { token: 's3cret' } })
 */
export const natsAddress = (text: string): E.Either<string, NatsUrl> => {
  const [scheme] = /^(?:nats|tls):\/\//i.exec(text) ?? []
  if (scheme === undefined) return E.left(EVENTS_URL_FORM)
  try {
    const texts = text.split(',').map((entry) => entry.trim())
    const entries = texts.map((entry) => entryOf(entry.includes('://') ? entry : scheme + entry))
    if (new Set(entries.map(({ protocol }) => protocol)).size > 1) return E.left('one scheme for all servers')
    const given = entries.map(({ credentials }) => credentials).filter((one) => Object.keys(one).length > 0)
    const [credentials = {}] = given
    // a login after the first server could be the end of a password that contains a comma
    const isMisplaced = credentials.login !== undefined && credentials !== entries[0]?.credentials
    if (isMisplaced || new Set(given.map((one) => JSON.stringify(one))).size > 1) {
      return E.left('credentials at the first server, for all of them')
    }
    const servers = [...new Set(entries.map(({ server }) => server))]
    return E.right({ _tag: 'Nats', servers, isTls: entries[0]?.protocol === 'tls:', ...credentials })
  } catch {
    return E.left(EVENTS_URL_FORM)
  }
}

// no @ at all: a password with a / would begin as a host and a port, which are shown
const WEBHOOK = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?][^\s#@]*)?$/i
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Reads the address of a webhook: https, or http on this machine. The left says what was wanted. */
export const webhookUrl = (text: string): E.Either<string, WebhookUrl> => {
  if (!WEBHOOK.test(text) || !URL.canParse(text))
    return E.left('https://… without user, password and fragment, with %40 for each @')
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
    ? E.left('https://…, because http:// is for webhooks on this machine')
    : E.right({ _tag: 'Webhook', url: text })
}

const isSecret = (text: string): boolean => {
  const [, key = ''] = /^whsec_([\w+/]+={0,2})$/.exec(text) ?? []
  const bytes = Buffer.from(key, 'base64')
  return bytes.toString('base64') === key && bytes.length >= 24 && bytes.length <= 64
}

/** Reads the secrets of a webhook, by Standard Webhooks 1.0. The left says what was wanted, without the secrets. */
export const webhookSecrets = (text: string): E.Either<string, readonly string[]> => {
  const secrets = text.split(/[\s,]+/)
  return secrets.length <= 2 && secrets.every(isSecret) ? E.right(secrets) : E.left(SECRETS_FORM)
}

export const eventsAddress = (text: string): E.Either<string, EventsUrl> =>
  /^https?:/i.test(text) ? webhookUrl(text) : natsAddress(text)
