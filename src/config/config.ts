// The settings as the program uses them.
import { sequenceS } from 'fp-ts/lib/Apply.js'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { EventsUrl, NatsUrl, WebhookUrl } from './events-url.js'
import { SETTINGS, type Values } from './settings.js'

/** One line for each problem: the variable, what it got, what it wanted. */
export type Checked<A> = E.Either<readonly string[], A>

/** The variable that holds the value of a setting, or the path of its file. */
export type GetVariable = (name: keyof Values) => string

/** The value of a setting, or its problem. */
export type GetSetting = <N extends keyof Values>(name: N) => Checked<Values[N]>

/** Where events go. */
export type EventsConfig = NatsUrl | (WebhookUrl & { readonly secrets: readonly string[] })

/** The storage backend. The tags are the values of STORE. */
export type StoreConfig =
  | { readonly _tag: 'embedded'; readonly directory: string }
  | { readonly _tag: 'mongodb'; readonly uri: string }
  | { readonly _tag: 'memory' }

/** The store for people: no password, and none of the driver's options. */
export const storeText = (store: StoreConfig): string => {
  switch (store._tag) {
    case 'embedded':
      return `embedded, ${store.directory}`
    case 'mongodb':
      return `mongodb, ${/^[^/]*\/\/(?:[^@/?]*@)?([^?]*)/.exec(store.uri)?.[1] ?? ''}`
    case 'memory':
      return 'memory'
  }
}

/** The variable that a secret came from, for messages: `MONGODB_URI` or `MONGODB_URI_FILE`. */
export interface SecretVariables {
  readonly mongodbUri: string
  readonly eventsUrl: string
}

/** For each API key. */
export interface RateLimit {
  readonly perSecond: number
  /** Requests that may arrive at once. */
  readonly burst: number
}

export interface Config {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly store: StoreConfig
  readonly events: EventsConfig | undefined
  readonly eventsTypePrefix: string
  readonly maxStreams: number
  readonly secretVariables: SecretVariables
  readonly maxBodyBytes: number
  readonly requestTimeoutMs: number
  readonly drainMs: number
  readonly shutdownMs: number
  /** Undefined: no limit. */
  readonly rateLimit: RateLimit | undefined
  readonly maxInFlight: number
  readonly maxConnections: number
  readonly metricsHost: string
  /** Undefined: no metrics. */
  readonly metricsPort: number | undefined
  readonly corsOrigins: readonly string[]
  readonly getPetEnabled: boolean
  readonly trustedProxies: number
  readonly logLevel: Values['LOG_LEVEL']
  /** One in this many successful requests is logged. */
  readonly logSuccessesOneIn: number
}

const all = sequenceS(E.getApplicativeValidation(RA.getSemigroup<string>()))

const missing = (variable: keyof Values, because: string): Checked<never> =>
  E.left([`${variable}: got nothing, wanted ${SETTINGS[variable].parser.wanted}, because ${because}`])

interface StoreSettings {
  readonly name: Values['STORE']
  readonly directory: string
  readonly uri: string | undefined
}

const storeOf = ({ name, directory, uri }: StoreSettings): Checked<StoreConfig> => {
  switch (name ?? (uri === undefined ? 'embedded' : 'mongodb')) {
    case 'embedded':
      return E.right({ _tag: 'embedded', directory })
    case 'mongodb':
      return uri === undefined ? missing('MONGODB_URI', 'STORE is mongodb') : E.right({ _tag: 'mongodb', uri })
    case 'memory':
      return E.right({ _tag: 'memory' })
  }
}

interface EventsSettings {
  readonly url: EventsUrl | undefined
  readonly secrets: readonly string[] | undefined
}

const eventsOf = ({ url, secrets }: EventsSettings): Checked<EventsConfig | undefined> => {
  if (url?._tag !== 'Webhook') return E.right(url)
  return secrets === undefined ? missing('EVENTS_SECRET', 'EVENTS_URL is a webhook') : E.right({ ...url, secrets })
}

interface RateSettings {
  readonly perSecond: number | undefined
  readonly burst: number | undefined
}

const rateLimitOf = ({ perSecond, burst }: RateSettings): Checked<RateLimit | undefined> => {
  if (perSecond !== undefined) return E.right({ perSecond, burst: burst ?? 2 * perSecond })
  return burst === undefined ? E.right(undefined) : missing('RATE_LIMIT_PER_SECOND', 'RATE_LIMIT_BURST is set')
}

/** 0 takes a free port, so it collides with nothing. */
const withoutCollision = (config: Config): Checked<Config> => {
  const { host, port, metricsHost, metricsPort } = config
  return port !== 0 && port === metricsPort && host === metricsHost
    ? E.left([`METRICS_PORT: got "${port}", wanted another port than PORT on the same host`])
    : E.right(config)
}

const settingsOf = (get: GetSetting, variableOf: GetVariable): Checked<Config> =>
  all({
    host: get('HOST'),
    port: get('PORT'),
    publicUrl: get('PUBLIC_URL'),
    store: pipe(all({ name: get('STORE'), directory: get('DATA_DIR'), uri: get('MONGODB_URI') }), E.flatMap(storeOf)),
    events: pipe(all({ url: get('EVENTS_URL'), secrets: get('EVENTS_SECRET') }), E.flatMap(eventsOf)),
    eventsTypePrefix: get('EVENTS_TYPE_PREFIX'),
    maxStreams: get('MAX_STREAMS'),
    secretVariables: E.right({ mongodbUri: variableOf('MONGODB_URI'), eventsUrl: variableOf('EVENTS_URL') }),
    maxBodyBytes: get('BODY_LIMIT_BYTES'),
    requestTimeoutMs: get('REQUEST_TIMEOUT_SECONDS'),
    drainMs: get('DRAIN_SECONDS'),
    shutdownMs: get('SHUTDOWN_SECONDS'),
    rateLimit: pipe(
      all({ perSecond: get('RATE_LIMIT_PER_SECOND'), burst: get('RATE_LIMIT_BURST') }),
      E.flatMap(rateLimitOf),
    ),
    maxInFlight: get('MAX_IN_FLIGHT'),
    maxConnections: get('MAX_CONNECTIONS'),
    metricsHost: get('METRICS_HOST'),
    metricsPort: get('METRICS_PORT'),
    corsOrigins: E.map((origins: readonly string[] | undefined) => origins ?? [])(get('CORS_ORIGINS')),
    getPetEnabled: E.map((value) => value === 'on')(get('GET_PET')),
    trustedProxies: get('TRUSTED_PROXIES'),
    logLevel: get('LOG_LEVEL'),
    logSuccessesOneIn: get('LOG_SUCCESSES_ONE_IN'),
  })

/** All problems at once, if there are any. */
export const configOf = (get: GetSetting, variableOf: GetVariable): Checked<Config> =>
  pipe(settingsOf(get, variableOf), E.flatMap(withoutCollision))
