// The environment as settings ("how it is run": The environment); the only place that knows the variables.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { faultsOf, struct } from './domain/struct.js'

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
/** Seconds in the environment, milliseconds in the settings. */
const seconds = (min: number): t.Type<number, number, unknown> =>
  variable(`a number of seconds from ${min} to ${MAX_SECONDS}`, (sent) => {
    const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(sent) ? Number(sent) : Number.NaN
    return value >= min && value <= MAX_SECONDS ? value * 1_000 : undefined
  })

const oneOf = <A extends string>(...values: readonly A[]): t.Type<A, A, unknown> =>
  variable(`one of ${values.join(', ')}`, (sent) => values.find((value) => value === sent))

const anyText = variable('a text', (sent) => sent)
const PORT = integer(0, 65_535)

const publicUrl = variable('an absolute http or https URL that ends with /v1', (sent) =>
  /^https?:\/\/[^?#\s]+\/v1$/.test(sent) && URL.canParse(sent) ? sent : undefined,
)
const origins = variable('origins like https://shop.example, separated by commas', (sent) => {
  const values = sent.split(',').map((origin) => origin.trim())
  return values.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? values : undefined
})
const mongodbUri = variable('mongodb://… or mongodb+srv://… with the name of a database', (sent) =>
  /^mongodb(?:\+srv)?:\/\/[^/]+\/[^/?]+/.test(sent) ? sent : undefined,
)
const eventsUrl = variable('nats://… or tls://…', (sent) =>
  /^(?:nats|tls):\/\/\S+$/.test(sent) && URL.canParse(sent) ? sent : undefined,
)

const Environment = struct(
  'Environment',
  {},
  {
    HOST: anyText,
    PORT,
    PUBLIC_URL: publicUrl,
    STORE: oneOf('embedded', 'mongodb', 'memory'),
    DATA_DIR: anyText,
    MONGODB_URI: mongodbUri,
    EVENTS_URL: eventsUrl,
    BODY_LIMIT_BYTES: integer(1, 2 ** 30),
    REQUEST_TIMEOUT_SECONDS: seconds(0.1),
    DRAIN_SECONDS: seconds(0),
    SHUTDOWN_SECONDS: seconds(0),
    METRICS_PORT: PORT,
    CORS_ORIGINS: origins,
    GET_PET: oneOf('on', 'off'),
    LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
)
type Environment = t.TypeOf<typeof Environment>

/** Variables whose values may hold a password. */
const SECRET = new Set(['MONGODB_URI', 'EVENTS_URL'])

const withDefaults = (given: Environment) => ({
  host: given.HOST ?? '127.0.0.1',
  port: given.PORT ?? 8_080,
  publicUrl: given.PUBLIC_URL,
  store: given.STORE ?? (given.MONGODB_URI === undefined ? 'embedded' : 'mongodb'),
  dataDir: given.DATA_DIR ?? './data',
  mongodbUri: given.MONGODB_URI,
  eventsUrl: given.EVENTS_URL,
  bodyLimit: given.BODY_LIMIT_BYTES ?? 1_048_576,
  requestTimeout: given.REQUEST_TIMEOUT_SECONDS ?? 10_000,
  drain: given.DRAIN_SECONDS ?? 500,
  shutdown: given.SHUTDOWN_SECONDS ?? 10_000,
  metricsPort: given.METRICS_PORT,
  corsOrigins: given.CORS_ORIGINS ?? [],
  hasGetPet: given.GET_PET !== 'off',
  logLevel: given.LOG_LEVEL ?? 'info',
})

/** Durations in milliseconds, sizes in bytes. */
export type Config = ReturnType<typeof withDefaults>

const problem = (name: string, got: unknown, wanted: string): string =>
  `${name}: got ${SECRET.has(name) ? 'a value that is not shown' : JSON.stringify(got)}, wanted ${wanted}`

/** The settings, or one line a problem: name, what it got, what it wanted. An empty variable counts as absent. */
export const readConfig = (environment: NodeJS.ProcessEnv): E.Either<readonly string[], Config> => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  return pipe(
    Environment.decode(given),
    E.mapLeft((errors) =>
      faultsOf(errors).map(({ pointer, reason }) => problem(pointer.slice(1), given[pointer.slice(1)], reason)),
    ),
    E.map(withDefaults),
    E.filterOrElse(
      ({ store, mongodbUri: uri }) => store !== 'mongodb' || uri !== undefined,
      () => ['MONGODB_URI: got nothing, wanted the address of the database, since STORE is mongodb'],
    ),
  )
}
