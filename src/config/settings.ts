// The table of all settings (see docs/configuration.md), from which the configuration is derived.
import * as E from 'fp-ts/lib/Either.js'
import * as parse from './parsers.js'

interface Setting {
  /** The member of `Config`, with the unit in its name; absent if several settings make one member. */
  readonly member?: string
  readonly parser: parse.Parser<unknown>
  /** Used if the variable is not set. */
  readonly default?: string
  /** The value may contain a password: it is never shown, and NAME_FILE may name a file that contains it. */
  readonly isSecret?: true
}

export const SETTINGS = {
  HOST: { member: 'host', parser: parse.host, default: '127.0.0.1' },
  PORT: { member: 'port', parser: parse.port, default: '8080' },
  PUBLIC_URL: { member: 'publicUrl', parser: parse.publicUrl },
  STORE: { parser: parse.oneOf('embedded', 'mongodb', 'memory') },
  DATA_DIR: { parser: parse.folder, default: './data' },
  MONGODB_URI: { parser: parse.mongodbUri, isSecret: true },
  EVENTS_URL: { parser: parse.eventsUrl, isSecret: true },
  EVENTS_SECRET: { parser: parse.eventsSecrets, isSecret: true },
  EVENTS_TYPE_PREFIX: { member: 'eventsTypePrefix', parser: parse.eventTypePrefix, default: 'org.animal-store' },
  MAX_STREAMS: { member: 'maxStreams', parser: parse.integer(0, 1_000_000), default: '1000' },
  BODY_LIMIT_BYTES: { member: 'maxBodyBytes', parser: parse.integer(1, 2 ** 20), default: '65536' },
  REQUEST_TIMEOUT_SECONDS: { member: 'requestTimeoutMs', parser: parse.secondsAsMs(0.1), default: '10' },
  DRAIN_SECONDS: { member: 'drainMs', parser: parse.secondsAsMs(0), default: '0.5' },
  SHUTDOWN_SECONDS: { member: 'shutdownMs', parser: parse.secondsAsMs(0), default: '10' },
  RATE_LIMIT_PER_SECOND: { parser: parse.integer(1, 1_000_000) },
  RATE_LIMIT_BURST: { parser: parse.integer(1, 2_000_000) },
  MAX_IN_FLIGHT: { member: 'maxInFlight', parser: parse.integer(1, 1_000_000), default: '1000' },
  MAX_CONNECTIONS: { member: 'maxConnections', parser: parse.integer(1, 1_000_000), default: '10000' },
  METRICS_PORT: { member: 'metricsPort', parser: parse.port },
  METRICS_HOST: { member: 'metricsHost', parser: parse.host, default: '127.0.0.1' },
  CORS_ORIGINS: { parser: parse.origins },
  GET_PET: { member: 'getPetEnabled', parser: parse.onOff, default: 'on' },
  LOG_LEVEL: {
    member: 'logLevel',
    parser: parse.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
  },
  TRUSTED_PROXIES: { member: 'trustedProxies', parser: parse.integer(0, 16), default: '0' },
} as const satisfies Readonly<Record<string, Setting>>

type Settings = typeof SETTINGS
export type SettingName = keyof Settings

type ValueOf<R> = R extends { readonly parser: parse.Parser<infer A> }
  ? A | (R extends { readonly default: string } ? never : undefined)
  : never

/** Undefined if a setting is not set and has no default. */
export type Values = { readonly [N in SettingName]: ValueOf<Settings[N]> }

type MemberOf<R> = R extends { readonly member: infer M extends string } ? M : never

export const rowOf = (name: SettingName): Setting => SETTINGS[name]

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

/** The variable that may name a file with the value of a secret setting. */
export const fileVariable = (name: SettingName): string => `${name}_FILE`

// the cast is safe, because the table has a row for each member
export const membersOf = <T extends Readonly<Record<SettingName, unknown>>>(values: T) =>
  Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const { member } = rowOf(name)
      return member === undefined ? [] : [[member, values[name]]]
    }),
  ) as { readonly [N in SettingName as MemberOf<Settings[N]>]: T[N] }

const defaultOf = ({ default: text, parser }: Setting): unknown =>
  text === undefined ? undefined : E.toUnion(parser.parse(text))

export const DEFAULTS = membersOf(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, defaultOf(rowOf(name))])) as Values,
)

export type Members = typeof DEFAULTS
