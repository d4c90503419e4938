// Parsers of environment variables. A failure says what the value should have been.
import * as E from 'fp-ts/lib/Either.js'
import { EventsTypePrefix, Origin, PUBLIC_URL_FORM, PublicUrl } from '../domain/codecs/scalar.js'

/** The servers of a broker, with a login or a file of credentials or neither. The tag names the adapter. */
export interface NatsUrl {
  readonly _tag: 'Nats'
  /** `host:port` each. */
  readonly servers: readonly string[]
  readonly isTls: boolean
  readonly login?: { readonly user: string; readonly pass: string } | { readonly token: string }
  readonly credentialsFile?: string
}

/** The tag names the adapter. */
export interface WebhookUrl {
  readonly _tag: 'Webhook'
  readonly url: string
}

/** Hint for addresses: an unencoded @ or / would end a password, and the rest would be read as a host. */
export const PERCENT_ENCODING = 'user and password are percent-encoded (@ as %40, / as %2F)'
const EVENTS_URL_FORM = `nats://… or tls://…, with more servers after commas, or https://… for a webhook; ${PERCENT_ENCODING}`
const SECRETS_FORM = 'one or two whsec_…, separated by a comma or white space, each with 24 to 64 bytes in base64'

const credentialsOf = (url: URL): Pick<NatsUrl, 'login' | 'credentialsFile'> => {
  const credentialsFile = url.searchParams.get('creds')
  if (credentialsFile !== null) return { credentialsFile }
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  if (user === '') return {}
  return { login: pass === '' ? { token: user } : { user, pass } }
}

const NATS = /^\w+:\/\/(?:(?:[^@/?#\s]+@)?[^@/?#\s]+\/?|[^@/?#\s]+\/?\?creds=[^@?#&\s]+)$/i

/** Parses one entry of the list; throws if it is invalid. */
const entryOf = (text: string) => {
  const url = new URL(text)
  const server = `${url.hostname.toLowerCase()}:${url.port || '4222'}`
  // the driver reads it as an http URL, which refuses more hosts
  if (!NATS.test(text) || !URL.canParse(`http://${server}`)) throw new Error('not a server')
  return { protocol: url.protocol, server, credentials: credentialsOf(url) }
}

/**
 * Reads `nats://host:4222`, `nats://user:password@host`, `nats://token@host`, `nats://host?creds=/path/to/file.creds`,
 * or any of them with `tls://`, which refuses a server without TLS. More servers of one cluster follow after commas,
 * with or without the scheme; all get the same credentials. The left says what was wanted, without the credentials.
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

// no @ at all: credentials whose password contains a / would look like a host and port, which are shown
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

export interface Parser<A> {
  /** Describes valid values; completes the sentence "wanted …". */
  readonly wanted: string
  /** Left: `wanted`, or a more specific text. */
  readonly parse: (text: string) => E.Either<string, A>
}

/** A parser from a function that returns undefined for an invalid value. */
const parser = <A>(wanted: string, parse: (text: string) => A | undefined): Parser<A> => ({
  wanted,
  parse: (text) => E.fromNullable(wanted)(parse(text)),
})

const matching = (wanted: string, isGood: (text: string) => boolean): Parser<string> =>
  parser(wanted, (text) => (isGood(text) ? text : undefined))

/** Rejects addresses, which may contain a password, because the folder is shown; and `~`, which only shells expand. */
export const folder = matching('the path of a folder, without ~', (text) => !/^(?:~|[a-z][a-z\d+.-]+:\/)/i.test(text))

/** A host as written in a URL; an IPv6 address without its zone, which is local to this machine. */
export const hostInUrl = (text: string): string => (text.includes(':') ? `[${text.replace(/%.*/, '')}]` : text)

/** A host name or an IP address. Rejects ports, and URLs, which may contain a password. */
export const host = matching(
  'a host name or an IP address',
  (text) => /^[\w.:%-]{1,255}$/.test(text) && URL.canParse(`http://${hostInUrl(text)}`),
)

export const integer = (min: number, max: number): Parser<number> =>
  parser(`an integer from ${min} to ${max}`, (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })

export const port = integer(0, 65_535)

const MAX_SECONDS = 86_400

/** Seconds in the environment, whole milliseconds in `Config`. */
export const secondsAsMs = (minSeconds: number): Parser<number> =>
  parser(`a number of seconds from ${minSeconds} to ${MAX_SECONDS}`, (text) => {
    const seconds = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
    return seconds >= minSeconds && seconds <= MAX_SECONDS ? Math.round(seconds * 1_000) : undefined
  })

export const oneOf = <A extends string>(...values: readonly A[]): Parser<A> =>
  parser(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text))

export const onOff = parser('one of on, off', (text) => (text === 'on' ? true : text === 'off' ? false : undefined))

export const publicUrl = matching(PUBLIC_URL_FORM, PublicUrl.is)

export const origins = parser('origins like https://shop.example, separated by commas', (text) => {
  const values = text.split(',').map((origin) => origin.trim())
  return values.every(Origin.is) ? values : undefined
})

// no @ after the hosts: credentials whose password contains a / would look like a host and port, which are shown
const HOST = String.raw`(?:[\w.%-]+|\[[\da-f:.]+\])(?::\d+)?`
const USER = String.raw`(?:[^%@/?#\s]|%[\da-f]{2})+`
// at most 63 bytes (MongoDB); no %, because an encoded character may be one that MongoDB refuses
const DATABASE = String.raw`[^@/?#\s\\."$*<>:|%]{1,63}`
const MONGODB_URI = new RegExp(
  String.raw`^mongodb(?:\+srv)?://(?:${USER}@)?(${HOST}(?:,${HOST})*/${DATABASE})(?:\?[^@#\s]*)?$`,
  'i',
)
export const mongodbUri = matching(
  `mongodb://… or mongodb+srv://… with the name of a database, such as mongodb://localhost:27017/pets; ${PERCENT_ENCODING}`,
  (text) => MONGODB_URI.test(text),
)

/** The hosts and the database of a URI that `mongodbUri` accepts. */
export const mongodbPlace = (uri: string): string => MONGODB_URI.exec(uri)?.[1] ?? ''

export const eventsUrl: Parser<NatsUrl | WebhookUrl> = {
  wanted: EVENTS_URL_FORM,
  parse: (text) => (/^https?:/i.test(text) ? webhookUrl(text) : natsAddress(text)),
}

export const eventsSecrets: Parser<readonly string[]> = { wanted: SECRETS_FORM, parse: webhookSecrets }

export const eventTypePrefix = matching(
  'words of letters, digits, - and _ that begin with a letter or digit, joined by dots, such as org.example (200 characters at most)',
  EventsTypePrefix.is,
)
