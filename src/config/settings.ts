// All settings in one table. The configuration, its documentation and .env.example are derived from these rows.
import * as E from 'fp-ts/lib/Either.js'
import * as parse from './parsers.js'

interface Setting {
  /** The member of `Config`, with the unit in its name; absent if several settings make one member. */
  readonly member?: string
  readonly parser: parse.Parser<unknown>
  /** For the documentation, in Markdown. */
  readonly meaning: string
  /** The value may contain a password: it is never shown, and NAME_FILE may name a file that contains it. */
  readonly isSecret?: true
}

/** With the text of an absent variable, or with a valid value for the documentation if there is no such text. */
export type Row = Setting &
  ({ readonly default: string; readonly example?: never } | { readonly default?: never; readonly example: string })

export const SETTINGS = {
  HOST: {
    member: 'host',
    parser: parse.host,
    default: '127.0.0.1',
    meaning: 'address to listen on',
  },
  PORT: {
    member: 'port',
    parser: parse.port,
    default: '8080',
    meaning: 'port to listen on; 0 takes a free one',
  },
  PUBLIC_URL: {
    member: 'publicUrl',
    parser: parse.publicUrl,
    example: 'https://pets.example/v1',
    meaning: 'public base address, for a service behind a proxy; if not set, it is taken from each request',
  },
  STORE: {
    parser: parse.oneOf('embedded', 'mongodb', 'memory'),
    example: 'memory',
    meaning: 'storage backend; if not set, `mongodb` if `MONGODB_URI` is set, else `embedded`',
  },
  DATA_DIR: {
    parser: parse.folder,
    default: './data',
    meaning: 'folder of the embedded store; created with mode 0700 if it is missing',
  },
  MONGODB_URI: {
    parser: parse.mongodbUri,
    example: 'mongodb://localhost:27017/pets',
    isSecret: true,
    meaning: 'MongoDB, with the name of the database',
  },
  EVENTS_URL: {
    parser: parse.eventsUrl,
    example: 'nats://n1.example:4222,n2.example:4222',
    isSecret: true,
    meaning:
      'publish events to NATS JetStream at these servers, where a missing stream is created, or to the webhook at this address (`http://` only on this machine)',
  },
  EVENTS_SECRET: {
    parser: parse.eventsSecrets,
    example: 'whsec_cmVwbGFjZSB0aGlzIGJ5IDI0IG9yIG1vcmUgcmFuZG9tIGJ5dGVz',
    isSecret: true,
    meaning: 'signs the events for a webhook, which needs it; while it is replaced, the new and the former one',
  },
  EVENTS_TYPE_PREFIX: {
    member: 'eventsTypePrefix',
    parser: parse.eventTypePrefix,
    default: 'org.animal-store',
    meaning: 'prefix of event types and of NATS subjects',
  },
  MAX_STREAMS: {
    member: 'maxStreams',
    parser: parse.integer(0, 1_000_000),
    default: '1000',
    meaning: 'streams of events (`GET /v1/events`) that one process serves at once; more get 503 immediately',
  },
  BODY_LIMIT_BYTES: {
    member: 'maxBodyBytes',
    parser: parse.integer(1, 2 ** 20),
    default: '65536',
    meaning:
      'largest request body, in bytes; a larger one gets 413. While a body is parsed, other requests wait: up to 0.4 s per MiB',
  },
  REQUEST_TIMEOUT_SECONDS: {
    member: 'requestTimeoutMs',
    parser: parse.secondsAsMs(0.1),
    default: '10',
    meaning: 'time for a whole request to arrive, and half of it for the headers; then 408',
  },
  DRAIN_SECONDS: {
    member: 'drainMs',
    parser: parse.secondsAsMs(0),
    default: '0.5',
    meaning: 'how long a stopping service still accepts connections while `/health/ready` is 503',
  },
  SHUTDOWN_SECONDS: {
    member: 'shutdownMs',
    parser: parse.secondsAsMs(0),
    default: '10',
    meaning: 'how long it then waits for requests in flight before it closes their connections',
  },
  RATE_LIMIT_PER_SECOND: {
    parser: parse.integer(1, 1_000_000),
    example: '50',
    meaning:
      'requests per second of one API key, and of one address for what needs no key; more get 429; if not set, there is no limit',
  },
  RATE_LIMIT_BURST: {
    parser: parse.integer(1, 2_000_000),
    example: '100',
    meaning: 'requests that one API key may send at once; if not set, twice `RATE_LIMIT_PER_SECOND`',
  },
  MAX_IN_FLIGHT: {
    member: 'maxInFlight',
    parser: parse.integer(1, 1_000_000),
    default: '1000',
    meaning: 'requests in flight, queued or unread in one process; more get 503 immediately',
  },
  MAX_CONNECTIONS: {
    member: 'maxConnections',
    parser: parse.integer(1, 1_000_000),
    default: '10000',
    meaning: 'open connections of one process; more are closed immediately',
  },
  METRICS_PORT: {
    member: 'metricsPort',
    parser: parse.port,
    example: '9090',
    meaning: 'serve `/metrics` (Prometheus) on this port; 0 takes a free one; if not set, there are no metrics',
  },
  METRICS_HOST: {
    member: 'metricsHost',
    parser: parse.host,
    default: '127.0.0.1',
    meaning: 'address to serve `/metrics` on',
  },
  CORS_ORIGINS: {
    parser: parse.origins,
    example: 'https://shop.example,https://admin.example',
    meaning: 'sites whose scripts may call the service from a browser; if not set, none',
  },
  GET_PET: {
    member: 'getPetEnabled',
    parser: parse.onOff,
    default: 'on',
    meaning: '`off`: the deprecated `GET /pets/{petId}` gets 410 `operation_removed`',
  },
  LOG_LEVEL: {
    member: 'logLevel',
    parser: parse.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    meaning: 'minimum log level',
  },
  TRUSTED_PROXIES: {
    member: 'trustedProxies',
    parser: parse.integer(0, 16),
    default: '0',
    meaning:
      'number of proxies in front, each of which adds the address of its client to `X-Forwarded-For`: the address that the outermost one adds is logged, and counts wrong API keys; with 0, no address is logged',
  },
} as const satisfies Readonly<Record<string, Row>>

type Settings = typeof SETTINGS
export type SettingName = keyof Settings

type ValueOf<R> = R extends { readonly parser: parse.Parser<infer A> }
  ? A | (R extends { readonly default: string } ? never : undefined)
  : never

/** Undefined if a setting is not set and has no default. */
export type Values = { readonly [N in SettingName]: ValueOf<Settings[N]> }

type MemberOf<R> = R extends { readonly member: infer M extends string } ? M : never

export const rowOf = (name: SettingName): Row => SETTINGS[name]

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

/** The variable that may name a file with the value of a secret setting. */
export const fileVariable = (name: SettingName): string => `${name}_FILE`

// the table has a row for each member
export const membersOf = <T extends Readonly<Record<SettingName, unknown>>>(values: T) =>
  Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const { member } = rowOf(name)
      return member === undefined ? [] : [[member, values[name]]]
    }),
  ) as { readonly [N in SettingName as MemberOf<Settings[N]>]: T[N] }

const defaultOf = ({ default: text, parser }: Row): unknown =>
  text === undefined ? undefined : E.toUnion(parser.parse(text))

export const DEFAULTS = membersOf(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, defaultOf(rowOf(name))])) as Values,
)

export type Members = typeof DEFAULTS
