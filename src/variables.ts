// The variables of the environment: what each must be, its default, and what it means ("how it is run": The environment).
import * as t from 'io-ts'

/** A variable, by what its values must be; the parser gives undefined for what is not one. */
const variable = <A>(wanted: string, parse: (sent: string) => A | undefined): t.Type<A, A, unknown> =>
  new t.Type(
    wanted,
    (u): u is A => u !== undefined,
    (u, context) => {
      const value = typeof u === 'string' ? parse(u) : undefined
      return value === undefined ? t.failure(u, context, wanted) : t.success(value)
    },
    (value) => value,
  )

const integer = (min: number, max: number): t.Type<number, number, unknown> =>
  variable(`an integer from ${min} to ${max}`, (sent) => {
    const value = /^\d{1,16}$/.test(sent) ? Number(sent) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })

const MAX_SECONDS = 86_400
/** Seconds in the environment, whole milliseconds in the settings. */
const seconds = (min: number): t.Type<number, number, unknown> =>
  variable(`a number of seconds from ${min} to ${MAX_SECONDS}`, (sent) => {
    const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(sent) ? Number(sent) : Number.NaN
    return value >= min && value <= MAX_SECONDS ? Math.round(value * 1_000) : undefined
  })

const oneOf = <A extends string>(...values: readonly A[]): t.Type<A, A, unknown> =>
  variable(`one of ${values.join(', ')}`, (sent) => values.find((value) => value === sent))

const anyText = variable('a text', (sent) => sent)
const PORT = integer(0, 65_535)

const publicUrl = variable('an absolute http or https URL that ends with /v1', (sent) =>
  /^https?:\/\/[^?#@\s]+\/v1$/.test(sent) && URL.canParse(sent) ? sent : undefined,
)
const origins = variable('origins like https://shop.example, separated by commas', (sent) => {
  const values = sent.split(',').map((origin) => origin.trim())
  return values.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? values : undefined
})
// strict about hosts, so that no part of a password is taken for one and told by the driver
const HOST = String.raw`(?:[\w.%-]+|\[[\da-f:.]+\])(?::\d+)?`
const MONGODB_URI = new RegExp(
  String.raw`^mongodb(?:\+srv)?://(?:[^@/?#\s]+@)?${HOST}(?:,${HOST})*/[^/?\s]+(?:\?\S*)?$`,
  'i',
)
// what is encoded before the @ must be so rightly
const NATS_URL = /^(?:nats|tls):\/\/(?:(?:[^\s%/?#@]|%[\da-f]{2})+@)?[^\s/?#@:][^\s/?#@]*(?:[/?]\S*)?$/i
const mongodbUri = variable('mongodb://… or mongodb+srv://… with the name of a database', (sent) =>
  MONGODB_URI.test(sent) ? sent : undefined,
)
const eventsUrl = variable('nats://… or tls://…', (sent) =>
  NATS_URL.test(sent) && URL.canParse(sent) ? sent : undefined,
)

export const WITH_DEFAULT = {
  HOST: anyText,
  PORT,
  DATA_DIR: anyText,
  BODY_LIMIT_BYTES: integer(1, 2 ** 30),
  REQUEST_TIMEOUT_SECONDS: seconds(0.1),
  DRAIN_SECONDS: seconds(0),
  SHUTDOWN_SECONDS: seconds(0),
  GET_PET: oneOf('on', 'off'),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
}
export const WITHOUT_DEFAULT = {
  STORE: oneOf('embedded', 'mongodb', 'memory'),
  MONGODB_URI: mongodbUri,
  EVENTS_URL: eventsUrl,
  PUBLIC_URL: publicUrl,
  METRICS_PORT: PORT,
  CORS_ORIGINS: origins,
}

/** As they would be written in the environment. */
export const DEFAULTS: Readonly<Record<keyof typeof WITH_DEFAULT, string>> = {
  HOST: '127.0.0.1',
  PORT: '8080',
  DATA_DIR: './data',
  BODY_LIMIT_BYTES: '1048576',
  REQUEST_TIMEOUT_SECONDS: '10',
  DRAIN_SECONDS: '0.5',
  SHUTDOWN_SECONDS: '10',
  GET_PET: 'on',
  LOG_LEVEL: 'info',
}

const VARIABLES = { ...WITH_DEFAULT, ...WITHOUT_DEFAULT }

const MEANINGS: Readonly<Record<keyof typeof VARIABLES, string>> = {
  HOST: 'the address that it listens on',
  PORT: 'the port that it listens on; 0 takes a free one',
  DATA_DIR: 'the folder of the embedded store; made if it is missing, with mode 0700',
  BODY_LIMIT_BYTES: 'the largest body of a request, in bytes; a larger one is answered 413',
  REQUEST_TIMEOUT_SECONDS: 'how long a whole request may take to arrive, its headers half of it; else 408',
  DRAIN_SECONDS: 'how long a stop goes on accepting connections while ready is 503, for a balancer to see it',
  SHUTDOWN_SECONDS: 'how long a stop then waits for requests under way; what is left is cut',
  GET_PET: 'whether the deprecated `GET /pets/{petId}` answers; `off` is 410 `operation_removed`',
  LOG_LEVEL: 'the least level that is logged',
  STORE: 'where pets, keys and events are kept; if not set, `mongodb` where `MONGODB_URI` is set, else `embedded`',
  MONGODB_URI: 'the database, with its name; a password in it is never shown',
  EVENTS_URL: 'publish events to NATS JetStream there, the stream being made if it is missing; may hold a password too',
  PUBLIC_URL: 'the public base address, behind a proxy; if not set, it is taken from each request',
  METRICS_PORT: 'serve `/metrics` for Prometheus on this port; if not set, nowhere',
  CORS_ORIGINS: 'the sites whose scripts may call the service from a browser; if not set, none',
}

export interface Setting {
  readonly name: string
  readonly default: string | undefined
  /** What a value must be. */
  readonly wanted: string
  readonly meaning: string
}

const texts: Partial<typeof MEANINGS> = DEFAULTS

/** Every setting, for the documentation. */
export const settings: readonly Setting[] = (Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]).map((name) => ({
  name,
  default: texts[name],
  wanted: VARIABLES[name].name,
  meaning: MEANINGS[name],
}))
