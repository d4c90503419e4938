// Parsers of environment variables. A failure says what the value should have been.
import * as E from 'fp-ts/lib/Either.js'
import { NATS_FORM, type NatsAddress, natsAddress } from '../adapters/nats/address.js'
import { EventsTypePrefix, Origin, PUBLIC_URL_FORM, PublicUrl } from '../domain/codecs/scalar.js'

/** The tag names the adapter. */
export type NatsUrl = NatsAddress & { readonly _tag: 'Nats' }

/** The tag names the adapter. */
export interface WebhookUrl {
  readonly _tag: 'Webhook'
  readonly url: string
}

/** Hint for addresses: an unencoded @ or / would end a password, and the rest would be read as a host. */
export const PERCENT_ENCODING = 'user and password are percent-encoded (@ as %40, / as %2F)'
const EVENTS_URL_FORM = `${NATS_FORM}, or https://… for a webhook; ${PERCENT_ENCODING}`
const SECRETS_FORM = 'one or two whsec_…, separated by a comma or white space, each with 24 to 64 bytes in base64'

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

const natsUrl = (text: string): E.Either<string, NatsUrl> =>
  E.bimap(
    (wanted: string) => (wanted === NATS_FORM ? EVENTS_URL_FORM : wanted),
    (address: NatsAddress): NatsUrl => ({ _tag: 'Nats', ...address }),
  )(natsAddress(text))

export const eventsUrl: Parser<NatsUrl | WebhookUrl> = {
  wanted: EVENTS_URL_FORM,
  parse: (text) => (/^https?:/i.test(text) ? webhookUrl(text) : natsUrl(text)),
}

export const eventsSecrets: Parser<readonly string[]> = { wanted: SECRETS_FORM, parse: webhookSecrets }

export const eventTypePrefix = matching(
  'words of letters, digits, - and _ that begin with a letter or digit, joined by dots, such as org.example (200 characters at most)',
  EventsTypePrefix.is,
)
