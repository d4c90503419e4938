// Runs the command that the arguments name, or explains the commands; returns the exit code.

import { parseArgs } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import { systemClock } from '../adapters/node/system.js'
import { VERSION } from '../composition/service-log.js'
import { BadConfiguration, readConfig, shown } from '../config/config.js'
import { SETTING_NAMES } from '../config/settings.js'
import { mayHoldSecret } from '../domain/api-keys/api-key-text.js'
import { asError } from '../domain/thrown.js'
import type { Clock } from '../ports/clock.js'
import { check } from './check.js'
import {
  type Arguments,
  BAD_CONFIGURATION,
  type Command,
  DONE,
  FAILED,
  type Output,
  ResultLost,
  UsageError,
  WRONG_USAGE,
} from './command.js'
import { eventCommands } from './events.js'
import { indexes } from './indexes.js'
import { keyCommands } from './keys/keys.js'
import { seed } from './seed.js'
import { serve } from './serve.js'
import { backup, restore } from './store/backup.js'
import { exportCommand } from './store/export.js'
import { importCommand } from './store/import.js'
import { verify } from './store/verify.js'

const COMMANDS: readonly Command[] = [
  serve,
  ...keyCommands,
  ...eventCommands,
  seed,
  indexes,
  check,
  backup,
  restore,
  verify,
  exportCommand,
  importCommand,
]

/** The name of a command, without operands and options. */
const nameOf = ({ usage }: Command): readonly string[] => usage.split(' ').filter((word) => /^[a-z]+$/.test(word))

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  DURATION: 'DURATION is a number and a unit: 30s, 5m, 12h or 30d',
  T: 'T is a time such as 2026-11-21T09:30:00Z or 2026-11-21T10:30+01:00, or a day in UTC such as 2026-11-21',
}

const OF_EVERY_COMMAND = 'Every command takes --json (one JSON document on stdout) and --help.'
const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 wrong usage, 78 bad configuration.'

const helpOf = (commands: readonly Command[]): string => {
  const usages = commands.map(({ usage, summary }) => `animal-store ${usage}\n    ${summary}`)
  const words = new Set(commands.flatMap(({ usage }) => usage.match(/\w+/g) ?? []))
  const meanings = Object.entries(PLACEHOLDERS).filter(([placeholder]) => words.has(placeholder))
  return [...usages, '', ...meanings.map(([, meaning]) => `${meaning}.`), OF_EVERY_COMMAND, EXIT_CODES].join('\n')
}

const helpOfAll = (): string => `${helpOf(COMMANDS)}\nanimal-store --version prints the version.`

/** The commands whose names begin with these words. */
const groupOf = (words: readonly string[]): readonly Command[] =>
  COMMANDS.filter((command) => words.every((word, at) => nameOf(command)[at] === word))

const quoted = (words: readonly string[]): string => `"animal-store ${words.join(' ')}"`

/** Names the first unknown word, and explains the commands that begin with the words before it. */
const notUnderstood = (words: readonly string[]): string => {
  const unknownAt = words.findIndex((_, at) => groupOf(words.slice(0, at + 1)).length === 0)
  const word = words[unknownAt]
  if (word === undefined) return `${quoted(words)} is not complete\n\n${helpOf(groupOf(words))}`
  const known = words.slice(0, unknownAt)
  return known.length === 0
    ? `${shown(word)} is not a command: animal-store --help explains all commands`
    : `${shown(word)} is not a command of ${quoted(known)}\n\n${helpOf(groupOf(known))}`
}

const GLOBAL_OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

/** Turns an error of Node's parser into a `UsageError`: its first sentence, without values that may be keys. */
const parse = (command: Command, words: readonly string[]) => {
  try {
    const options = { ...command.options, ...GLOBAL_OPTIONS }
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    const [problem = ''] = asError(error).message.split(/\. |\n/)
    const option = /'--([a-z-]+)'/.exec(problem)?.[1] ?? ''
    const setting = SETTING_NAMES.find((name) => name === option.toUpperCase().replaceAll('-', '_'))
    const remedy = setting === undefined ? '' : `; set the environment variable ${setting} instead`
    const shownProblem = mayHoldSecret(problem) ? 'unknown option' : problem
    throw new UsageError(`${shownProblem}${remedy}; usage: animal-store ${command.usage}`)
  }
}

const mostOperands = ({ operands = 0, optionalOperands = 0 }: Command): number => operands + optionalOperands

const wrongOperands = (command: Command, given: readonly string[]): string => {
  const surplus = given[mostOperands(command)]
  const lack = given.includes('') ? 'an operand is empty' : 'an operand is missing'
  const problem = surplus === undefined ? lack : `unexpected operand ${shown(surplus)}`
  return `${problem}; usage: animal-store ${command.usage}`
}

const argumentsOf = (command: Command, words: readonly string[]): Arguments & { readonly help: boolean } => {
  const { values, positionals } = parse(command, words)
  const given = new Map<string, unknown>(Object.entries(values))
  const help = given.get('help') === true
  const { length } = positionals
  const isWrong = length < (command.operands ?? 0) || length > mostOperands(command) || positionals.includes('')
  if (!help && isWrong) throw new UsageError(wrongOperands(command, positionals))
  const texts = (name: string): readonly string[] =>
    [given.get(name)].flat().filter((value): value is string => typeof value === 'string')
  return { positionals, texts, text: (name) => texts(name).at(-1), json: given.get('json') === true, help }
}

const runCommand = async (
  command: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Output,
  clock: Clock,
): Promise<number> => {
  const refuse = async (problems: readonly string[], code: number): Promise<number> => {
    problems.forEach(output.message)
    await command.refused?.(problems, environment)
    return code
  }
  const parsed = E.tryCatch(() => argumentsOf(command, words), asError)
  if (E.isLeft(parsed)) return refuse([parsed.left.message], WRONG_USAGE)
  const args = parsed.right
  if (args.help) {
    await output.result(helpOf([command]))
    return DONE
  }
  const config = readConfig(environment)
  if (E.isLeft(config)) return refuse(config.left, BAD_CONFIGURATION)
  return command.run(args, config.right, output, clock, environment)
}

const isIn = (words: readonly string[], ...wanted: readonly string[]): boolean =>
  words.some((word) => wanted.includes(word))

/** Arguments that name no command: `--help`, `--version` or an error. */
const runWithoutCommand = async (words: readonly string[], output: Output): Promise<number> => {
  if (isIn(words, '--version') && words.every((word) => isIn(['--version', '--json'], word))) {
    await output.result(isIn(words, '--json') ? JSON.stringify({ version: VERSION }) : VERSION)
    return DONE
  }
  const names = words.filter((word) => !word.startsWith('-'))
  const group = groupOf(names)
  if (isIn(words, '--help', '-h') && group.length > 0) {
    await output.result(names.length === 0 ? helpOfAll() : helpOf(group))
    return DONE
  }
  output.message(words.length === 0 ? helpOfAll() : notUnderstood(words))
  return WRONG_USAGE
}

/** `help`, `version` and `-v`, which people try, as options. */
const asOptions = (words: readonly string[]): readonly string[] => {
  const [first, ...rest] = words
  if (first === 'help') return [...rest, '--help']
  return first === 'version' || first === '-v' ? ['--version', ...rest] : words
}

export const runCommandLine = async (
  typed: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Output,
  clock: Clock = systemClock,
): Promise<number> => {
  const words = asOptions(typed)
  const command = COMMANDS.find((one) => nameOf(one).every((word, at) => word === words[at]))
  try {
    if (command === undefined) return await runWithoutCommand(words, output)
    return await runCommand(command, words.slice(nameOf(command).length), environment, output, clock)
  } catch (error) {
    if (!(error instanceof ResultLost && error.isUnwanted)) output.message(asError(error).message)
    if (error instanceof BadConfiguration) return BAD_CONFIGURATION
    return error instanceof UsageError ? WRONG_USAGE : FAILED
  }
}
