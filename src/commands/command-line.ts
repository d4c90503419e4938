// Runs the command named by the arguments, or prints help; returns the exit code.

import { parseArgs } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import { systemClock } from '../adapters/node/system.js'
import { VERSION } from '../composition/service-log.js'
import { BadConfiguration, readConfig, shown } from '../config/config.js'
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
  type RawOutput,
  UsageError,
  visibleOutput,
  WRONG_USAGE,
} from './command.js'
import { eventCommands } from './events.js'
import { indexes } from './indexes.js'
import { keyCommands } from './keys.js'
import { seed } from './seed.js'
import { serve } from './serve.js'
import { backup, restore, verify } from './store/backup.js'
import { exportCommand } from './store/export.js'
import { importCommand } from './store/import.js'

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

const nameOf = ({ usage }: Command): readonly string[] => usage.split(' ').filter((word) => /^[a-z]+$/.test(word))

const FOOTER = `
DURATION is a number and a unit: 30s, 5m, 12h or 30d.
T is a time such as 2026-11-21T09:30:00Z or 2026-11-21T10:30+01:00, or a day in UTC such as 2026-11-21.
Every command takes --json (one JSON document on stdout) and --help. animal-store --version prints the version.
Exit codes: 0 done, 1 failed, 2 wrong usage, 66 the files of the store are gone (serve), 78 bad configuration.`

const helpOf = (commands: readonly Command[]): readonly string[] => [
  ...commands.flatMap(({ usage, summary }) => [`animal-store ${usage}`, `    ${summary}`]),
  ...FOOTER.split('\n'),
]

/** Throws a `UsageError`. */
const argumentsOf = (command: Command, words: readonly string[]): Arguments & { readonly help: boolean } => {
  const options = { ...command.options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  const parsed = E.tryCatch(() => parseArgs({ args: [...words], options, allowPositionals: true }), asError)
  if (E.isLeft(parsed)) {
    // only the first sentence, and only if it cannot contain an API key
    const [problem = ''] = parsed.left.message.split(/\. |\n/)
    throw new UsageError(mayHoldSecret(problem) ? 'unknown option' : problem)
  }
  const { values, positionals } = parsed.right
  const { json = false, help = false } = values
  const given = new Map<string, unknown>(Object.entries(values))
  const operands = command.usage.match(/(?<!--[a-z-]+ )(?<=[ [])[A-Z]+\]?/g) ?? []
  const surplus = positionals[operands.length]
  if (!help && surplus !== undefined) throw new UsageError(`unexpected operand ${shown(surplus)}`)
  const isMissing = operands.some((operand, at) => !operand.endsWith(']') && positionals[at] === undefined)
  // refused, because `-` would create a file of that name instead of meaning stdout
  if (!help && (isMissing || positionals.some((operand) => operand === '' || operand === '-')))
    throw new UsageError('an operand is missing, empty or -')
  return {
    positionals,
    values: (option) => [given.get(option)].flat().filter((value) => typeof value === 'string'),
    has: (option) => given.has(option),
    json,
    help,
  }
}

/** Handles arguments that name no command: `--help`, `--version` or an error. */
const runWithoutCommand = async (words: readonly string[], output: Output): Promise<number> => {
  const names = words.filter((word) => !word.startsWith('-'))
  const group = COMMANDS.filter((command) => names.every((name, at) => nameOf(command)[at] === name))
  if (words.includes('--version') && names.length === 0) {
    await output.result(words.includes('--json') ? { json: JSON.stringify({ version: VERSION }) } : [VERSION])
    return DONE
  }
  if ((words.includes('--help') || words.includes('-h')) && group.length > 0) {
    await output.result(helpOf(group))
    return DONE
  }
  const problem = `${shown(words.join(' '))} is not a command: animal-store --help explains all commands`
  for (const line of words.length === 0 ? helpOf(COMMANDS) : [problem]) output.message(line)
  return WRONG_USAGE
}

export const runCommandLine = async (
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  rawOutput: RawOutput,
  clock: Clock = systemClock,
): Promise<number> => {
  const output = visibleOutput(rawOutput)
  const command = COMMANDS.find((one) => nameOf(one).every((word, at) => word === words[at]))
  try {
    if (command === undefined) return await runWithoutCommand(words, output)
    const refuse = async (problems: readonly string[], code: number): Promise<number> => {
      problems.forEach(output.message)
      await command.refused?.(problems, environment)
      return code
    }
    const args = E.tryCatch(() => argumentsOf(command, words.slice(nameOf(command).length)), asError)
    if (E.isLeft(args)) return await refuse([`${args.left.message}; usage: animal-store ${command.usage}`], WRONG_USAGE)
    if (args.right.help) {
      await output.result(helpOf([command]))
      return DONE
    }
    const config = readConfig(environment)
    if (E.isLeft(config)) return await refuse(config.left, BAD_CONFIGURATION)
    return await command.run(args.right, config.right, output, clock, environment)
  } catch (error) {
    output.message(asError(error).message)
    if (error instanceof BadConfiguration) return BAD_CONFIGURATION
    return error instanceof UsageError ? WRONG_USAGE : FAILED
  }
}
