// The environment as settings, or a line for each of its problems ("how it is run": The environment).
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { faultsOf, struct } from './domain/struct.js'
import { DEFAULTS, WITH_DEFAULT, WITHOUT_DEFAULT } from './variables.js'

const Environment = struct('Environment', WITH_DEFAULT, WITHOUT_DEFAULT)
type Environment = t.TypeOf<typeof Environment>

/** Variables whose values may hold a password. */
const SECRET = new Set(['MONGODB_URI', 'EVENTS_URL'])

const settingsOf = (given: Environment) => ({
  host: given.HOST,
  port: given.PORT,
  publicUrl: given.PUBLIC_URL,
  store: given.STORE ?? (given.MONGODB_URI === undefined ? 'embedded' : 'mongodb'),
  dataDir: given.DATA_DIR,
  mongodbUri: given.MONGODB_URI,
  eventsUrl: given.EVENTS_URL,
  bodyLimit: given.BODY_LIMIT_BYTES,
  requestTimeout: given.REQUEST_TIMEOUT_SECONDS,
  drain: given.DRAIN_SECONDS,
  shutdown: given.SHUTDOWN_SECONDS,
  metricsPort: given.METRICS_PORT,
  corsOrigins: given.CORS_ORIGINS ?? [],
  hasGetPet: given.GET_PET === 'on',
  logLevel: given.LOG_LEVEL,
})

/** A setting of the right form that its driver does not take; the message is its line. */
export class BadConfiguration extends Error {}

/** Durations in milliseconds, sizes in bytes. */
export type Config = ReturnType<typeof settingsOf>

/** What a variable holds, unless it is a password, which may come into any of them by mistake. */
const shown = (name: string, value = ''): string =>
  SECRET.has(name) || /:\/\/.*@/.test(value) ? 'a value that is not shown' : JSON.stringify(value)

const missing = (given: Readonly<Record<string, string | undefined>>): readonly string[] =>
  given['STORE'] === 'mongodb' && given['MONGODB_URI'] === undefined
    ? ['MONGODB_URI: got nothing, wanted the address of the database, since STORE is mongodb']
    : []

/** The settings, or one line a problem: name, what it got, what it wanted. An empty variable counts as absent. */
export const readConfig = (environment: NodeJS.ProcessEnv): E.Either<readonly string[], Config> => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const given: Readonly<Record<string, string | undefined>> = { ...DEFAULTS, ...set }
  const decoded = Environment.decode(given)
  const faults = E.isLeft(decoded) ? faultsOf(decoded.left) : []
  const bad = faults.map(({ pointer, reason }) => {
    const name = pointer.slice(1)
    return `${name}: got ${shown(name, given[name])}, wanted ${reason}`
  })
  const problems = [...bad, ...missing(given)]
  return E.isLeft(decoded) || problems.length > 0 ? E.left(problems) : E.right(settingsOf(decoded.right))
}
