// Reads the configuration from the environment, or returns one line per problem.

import { readFileSync } from 'node:fs'
import { sequenceS } from 'fp-ts/lib/Apply.js'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { mayHoldSecret } from '../domain/api-keys/api-key-text.js'
import { memberOf } from '../domain/thrown.js'
import { mongodbPlace, type NatsUrl, type WebhookUrl } from './parsers.js'
import {
  fileVariable,
  type Members,
  membersOf,
  rowOf,
  SETTING_NAMES,
  type SettingName,
  type Values,
} from './settings.js'

/** A well-formed setting that a driver or the machine does not accept. The message is one line. */
export class BadConfiguration extends Error {}

/** One line per problem: the variable, the given value and the wanted one. */
type Checked<A> = E.Either<readonly string[], A>

type CheckedEach<A> = { readonly [N in keyof A]: Checked<A[N]> }

/** The storage backend. The tags are the values of STORE. */
export type StoreConfig =
  | { readonly _tag: 'embedded'; readonly directory: string }
  | { readonly _tag: 'mongodb'; readonly uri: string }
  | { readonly _tag: 'memory' }

/** Describes the store for people; never includes passwords or options of an address. */
export const storeText = (store: StoreConfig): string => {
  switch (store._tag) {
    case 'embedded':
      return `embedded, ${store.directory}`
    case 'mongodb':
      return `mongodb, ${mongodbPlace(store.uri)}`
    case 'memory':
      return 'memory'
  }
}

/** The settings as the program uses them: the members of the table, and members made from several settings. */
export interface Config extends Members {
  readonly store: StoreConfig
  readonly events: NatsUrl | (WebhookUrl & { readonly secrets: readonly string[] }) | undefined
  /** Per API key; `burst` requests may arrive at once. Undefined: no limit. */
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | undefined
  readonly corsOrigins: readonly string[]
  /** For messages: `MONGODB_URI` or `MONGODB_URI_FILE`. */
  readonly mongodbVariable: string
}

const validation = E.getApplicativeValidation(RA.getSemigroup<string>())
const all = sequenceS(validation)

const missing = (variable: SettingName, because: string): Checked<never> =>
  E.left([`${variable}: got nothing, wanted ${rowOf(variable).parser.wanted}, because ${because}`])

const storeOf = ({
  STORE,
  DATA_DIR,
  MONGODB_URI: uri,
}: Pick<Values, 'STORE' | 'DATA_DIR' | 'MONGODB_URI'>): Checked<StoreConfig> => {
  switch (STORE ?? (uri === undefined ? 'embedded' : 'mongodb')) {
    case 'embedded':
      return E.right({ _tag: 'embedded', directory: DATA_DIR })
    case 'mongodb':
      return uri === undefined ? missing('MONGODB_URI', 'STORE is mongodb') : E.right({ _tag: 'mongodb', uri })
    case 'memory':
      return E.right({ _tag: 'memory' })
  }
}

const eventsOf = ({
  EVENTS_URL: url,
  EVENTS_SECRET: secrets,
}: Pick<Values, 'EVENTS_URL' | 'EVENTS_SECRET'>): Checked<Config['events']> => {
  if (url?._tag !== 'Webhook') return E.right(url)
  return secrets === undefined ? missing('EVENTS_SECRET', 'EVENTS_URL is a webhook') : E.right({ ...url, secrets })
}

const rateLimitOf = ({
  RATE_LIMIT_PER_SECOND: perSecond,
  RATE_LIMIT_BURST: burst,
}: Pick<Values, 'RATE_LIMIT_PER_SECOND' | 'RATE_LIMIT_BURST'>): Checked<Config['rateLimit']> => {
  if (perSecond !== undefined) return E.right({ perSecond, burst: burst ?? 2 * perSecond })
  return burst === undefined ? E.right(undefined) : missing('RATE_LIMIT_PER_SECOND', 'RATE_LIMIT_BURST is set')
}

/** 0 selects a free port, so it never collides. */
const hasTwoPorts = ({ port, metricsPort }: Config): boolean => port === 0 || port !== metricsPort

/** Shown instead of a value that may contain a secret. */
export const HIDDEN = '(hidden)'

/** Signs of credentials before a host (however malformed), of a URL parameter, or of a webhook secret. */
const MAY_BE_SECRET = /[@=]|%40|whsec_/i

/** A given value, for messages. Hides anything that may be secret, because secrets can end up in the wrong setting. */
export const shown = (text: string): string =>
  mayHoldSecret(text) || MAY_BE_SECRET.test(text) ? HIDDEN : JSON.stringify(text)

/** Shows only what begins like a path, because the secret itself may be set by mistake instead of its file. */
const shownPath = (path: string): string => (/^(?:[.~]{0,2}\/|[a-z]:\\)/i.test(path) ? shown(path) : HIDDEN)

/** An empty variable counts as absent. */
const filePathOf = (name: SettingName, given: NodeJS.ProcessEnv): string | undefined =>
  rowOf(name).isSecret ? given[fileVariable(name)] || undefined : undefined

/** The parsed value or default; undefined without either. */
const parsedValue = (name: SettingName, given: NodeJS.ProcessEnv): E.Either<string, unknown> => {
  const { default: absent, isSecret, parser } = rowOf(name)
  const plain = given[name] || undefined
  const path = filePathOf(name, given)
  const parse = (variable: string, text: string, got: string): E.Either<string, unknown> =>
    E.mapLeft((wanted: string) => `${variable}: got ${got}, wanted ${wanted}`)(parser.parse(text))
  if (path === undefined) {
    const text = plain ?? absent
    return text === undefined ? E.right(undefined) : parse(name, text, isSecret ? HIDDEN : shown(text))
  }
  const variable = fileVariable(name)
  const got = `${variable}: got ${shownPath(path)}`
  if (plain !== undefined) return E.left(`${got}, wanted nothing, because ${name} is set`)
  try {
    // trimmed, because editors and secret stores end files with a line break
    return parse(variable, readFileSync(path, 'utf8').trim(), 'a file whose content is not shown')
  } catch (error) {
    return E.left(`${got}, wanted a readable file: ${String(memberOf(error, 'code'))}`)
  }
}

/** The text of each setting in force, its default, or null; `(hidden)` if it may contain a password. */
export const settingTexts = (
  environment: NodeJS.ProcessEnv,
  { store, rateLimit }: Pick<Config, 'store' | 'rateLimit'>,
): Readonly<Record<string, string | null>> => {
  const textOf = (name: SettingName): string | null => {
    const { default: absent, isSecret } = rowOf(name)
    const given = environment[name] || filePathOf(name, environment) || undefined
    return given !== undefined && isSecret ? HIDDEN : (given ?? absent ?? null)
  }
  const derived = { STORE: store._tag, ...(rateLimit && { RATE_LIMIT_BURST: String(rateLimit.burst) }) }
  return { ...Object.fromEntries(SETTING_NAMES.map((name) => [name, textOf(name)])), ...derived }
}

/** The configuration, or all its problems. Reads the files named by variables such as MONGODB_URI_FILE. */
export const readConfig = (environment: NodeJS.ProcessEnv): Checked<Config> => {
  const checked = (name: SettingName) => E.mapLeft(RA.of<string>)(parsedValue(name, environment))
  // the parsers of the rows determine the types, which rowOf does not keep
  const parsed = Object.fromEntries(SETTING_NAMES.map((name) => [name, checked(name)])) as CheckedEach<Values>
  const { STORE, DATA_DIR, MONGODB_URI, EVENTS_URL, EVENTS_SECRET, RATE_LIMIT_PER_SECOND, RATE_LIMIT_BURST } = parsed
  const hasFile = filePathOf('MONGODB_URI', environment) !== undefined
  const config = all({
    ...membersOf(parsed),
    store: E.flatMap(storeOf)(all({ STORE, DATA_DIR, MONGODB_URI })),
    events: E.flatMap(eventsOf)(all({ EVENTS_URL, EVENTS_SECRET })),
    rateLimit: E.flatMap(rateLimitOf)(all({ RATE_LIMIT_PER_SECOND, RATE_LIMIT_BURST })),
    corsOrigins: E.map((origins: Values['CORS_ORIGINS']) => origins ?? [])(parsed.CORS_ORIGINS),
    mongodbVariable: E.right(hasFile ? fileVariable('MONGODB_URI') : 'MONGODB_URI'),
  })
  return E.filterOrElseW(hasTwoPorts, ({ metricsPort }) => [
    `METRICS_PORT: got "${metricsPort}", wanted another port than PORT`,
  ])(config)
}
