// Reads the configuration from the environment, or returns one line for each problem.
import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { mayHoldSecret } from '../domain/api-keys/api-key-text.js'
import { type Checked, type Config, configOf, type GetSetting, type GetVariable } from './config.js'
import { fileVariable, type Row, rowOf, SETTING_NAMES, type SettingName, type Values } from './settings.js'

/** A text to parse, and its origin. */
interface Source {
  readonly variable: string
  readonly text: string
  /** The text for people, or why it is not shown. */
  readonly shown: string
}

const HIDDEN = 'a value that is not shown'

/** The given value of a setting, an operand or an option, for messages. A URL with credentials, an API key or only its secret, or the secret of a webhook may stand anywhere by mistake. */
export const shown = (text: string): string =>
  mayHoldSecret(text) || /:\/\/.*@|whsec_/i.test(text) ? HIDDEN : JSON.stringify(text)

/** The secret itself may be set by mistake instead of the path of its file. */
const shownPath = (path: string): string => (path.includes('://') ? HIDDEN : shown(path))

const readSecret = (variable: string, path: string): E.Either<string, Source> =>
  E.tryCatch(
    // editors and secret stores end a file with a line break
    () => ({ variable, text: readFileSync(path, 'utf8').trim(), shown: 'a file whose content is not shown' }),
    (error) => {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read'
      return `${variable}: got ${shownPath(path)}, wanted a readable file: ${reason}`
    },
  )

/** An empty variable counts as absent. */
const filePathOf = (name: SettingName, given: NodeJS.ProcessEnv): string | undefined =>
  rowOf(name).isSecret ? given[fileVariable(name)] || undefined : undefined

const sourceOf = (name: SettingName, row: Row, given: NodeJS.ProcessEnv): E.Either<string, Source | undefined> => {
  const plain = given[name] || undefined
  const fromFile = fileVariable(name)
  const path = filePathOf(name, given)
  if (path !== undefined) {
    return plain === undefined
      ? readSecret(fromFile, path)
      : E.left(`${fromFile}: got ${shownPath(path)}, wanted nothing, because ${name} is set`)
  }
  const text = plain ?? row.default
  return E.right(text === undefined ? undefined : { variable: name, text, shown: row.isSecret ? HIDDEN : shown(text) })
}

const parse = (row: Row, { variable, text, shown }: Source): E.Either<string, unknown> =>
  E.mapLeft((wanted: string) => `${variable}: got ${shown}, wanted ${wanted}`)(row.parser.parse(text))

/** The text of each setting that a good environment has, its default, or null. */
export const settingTexts = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const source = sourceOf(name, rowOf(name), environment)
      const text = E.isRight(source) ? source.right?.text : undefined
      return [name, text === undefined ? null : rowOf(name).isSecret ? '(hidden)' : text]
    }),
  )

/** The configuration, or its problems. Reads the files that variables such as MONGODB_URI_FILE name. */
export const readConfig = (environment: NodeJS.ProcessEnv): Checked<Config> => {
  const get: GetSetting = <N extends SettingName>(name: N): Checked<Values[N]> => {
    const row = rowOf(name)
    const source = sourceOf(name, row, environment)
    const value = E.flatMap((from: Source | undefined) => (from === undefined ? E.right(from) : parse(row, from)))(
      source,
    )
    // the parser of the row determines the type, which rowOf does not keep
    return E.mapLeft((problem: string) => [problem])(value) as Checked<Values[N]>
  }
  const variableOf: GetVariable = (name) => (filePathOf(name, environment) === undefined ? name : fileVariable(name))
  return configOf(get, variableOf)
}
