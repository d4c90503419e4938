// Parsers of environment variables. A failure says what the value should have been.
import * as E from 'fp-ts/lib/Either.js'
import {
  EVENTS_URL_FORM,
  type EventsUrl,
  eventsAddress,
  PERCENT_ENCODING,
  SECRETS_FORM,
  webhookSecrets,
} from './events-url.js'

export interface Parser<A> {
  /** Describes valid values; completes the sentence "wanted …". */
  readonly wanted: string
  /** Left is `wanted`. */
  readonly parse: (text: string) => E.Either<string, A>
}

/** A parser from a function that returns undefined for an invalid value. */
const parser = <A>(wanted: string, parse: (text: string) => A | undefined): Parser<A> => ({
  wanted,
  parse: (text) => E.fromNullable(wanted)(parse(text)),
})

const matching = (wanted: string, isGood: (text: string) => boolean): Parser<string> =>
  parser(wanted, (text) => (isGood(text) ? text : undefined))

/** Rejects an address, which might contain a password: the folder is shown. */
export const folder = matching('the path of a folder', (text) => !/^[a-z][a-z\d+.-]+:\//i.test(text))

/** A host name or an IP address. Rejects a URL, which might contain a password. */
export const host = matching('a host name or an IP address', (text) => /^[\w.:%-]{1,255}$/.test(text))

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

export const publicUrl = matching(
  'an absolute http or https URL in ASCII that ends with /v1',
  // ASCII, as it is sent in headers; neither credentials nor a query
  (text) => /^https?:\/\/[\w.~:/[\]!$&'()*+,;=%-]+\/v1$/.test(text) && URL.canParse(text),
)

export const origins = parser('origins like https://shop.example, separated by commas', (text) => {
  const values = text.split(',').map((origin) => origin.trim())
  return values.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? values : undefined
})

// No @ behind the hosts: a password with a / would begin as a host and a port, which are shown.
const HOST = String.raw`(?:[\w.%-]+|\[[\da-f:.]+\])(?::\d+)?`
const USER = String.raw`(?:[^%@/?#\s]|%[\da-f]{2})+`
const DATABASE = String.raw`[^@/?#\s\\."$*<>:|]+`
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

export const eventsUrl: Parser<EventsUrl> = { wanted: EVENTS_URL_FORM, parse: eventsAddress }

export const eventsSecrets: Parser<readonly string[]> = { wanted: SECRETS_FORM, parse: webhookSecrets }

/** Also the prefix of NATS subjects: no wildcards, no empty tokens, no reserved names (`_INBOX`). */
export const eventTypePrefix = matching(
  'words of letters, digits, - and _ that begin with a letter or digit, joined by dots, such as org.example (200 characters at most)',
  (text) => text.length <= 200 && /^[^\W_][\w-]*(?:\.[^\W_][\w-]*)*$/.test(text),
)
