// Words → one of the commands → an exit code.
import { parseArgs } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import { BadConfiguration } from '../config/bad-configuration.js'
import { readConfig } from '../config/read-config.js'
import {
  type Arguments,
  BAD_CONFIGURATION,
  type Command,
  DONE,
  FAILED,
  type Output,
  UsageError,
  WRONG_USAGE,
} from './command.js'
import { listParked, replayEvents, retryParked, showBacklog } from './events.js'
import { indexes } from './indexes.js'
import { createKey, listKeys, revokeKey, rotateKey } from './keys.js'
import { seed } from './seed.js'
import { serve } from './serve.js'

const COMMANDS: readonly Command[] = [
  serve,
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  showBacklog,
  replayEvents,
  listParked,
  retryParked,
  seed,
  indexes,
]

/** The words that name a command, without its operands and options. */
const nameOf = ({ usage }: Command): readonly string[] => usage.split(' ').filter((word) => /^[a-z]+$/.test(word))

const helpOf = ({ usage, summary }: Command): string => `animal-store ${usage}\n    ${summary}`

const HELP = `${COMMANDS.map(helpOf).join('\n')}

Every command takes --json (one JSON document on stdout) and --help.
Exit codes: 0 done, 1 failed, 2 wrong usage, 78 bad configuration.`

const argumentsOf = (command: Command, words: readonly string[]): Arguments & { readonly help: boolean } => {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { ...command.options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const given = new Map<string, unknown>(Object.entries(values))
  const help = given.get('help') === true
  if (!help && positionals.length !== command.operands) throw new UsageError(`usage: animal-store ${command.usage}`)
  const texts = (name: string): readonly string[] =>
    [given.get(name)].flat().filter((value): value is string => typeof value === 'string')
  return { positionals, texts, text: (name) => texts(name).at(-1), json: given.get('json') === true, help }
}

const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

/** Runs the command that the words name; resolves to its exit code. */
export const runCommandLine = async (
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> => {
  const runCommand = async (command: Command): Promise<number> => {
    const args = argumentsOf(command, words.slice(nameOf(command).length))
    if (args.help) {
      output.result(helpOf(command))
      return DONE
    }
    const config = readConfig(environment)
    if (E.isLeft(config)) {
      config.left.forEach(output.message)
      return BAD_CONFIGURATION
    }
    return command.run(args, config.right, output)
  }

  const command = COMMANDS.find((one) => nameOf(one).every((word, at) => word === words[at]))
  if (command === undefined) {
    if (words.some((word) => word === '--help' || word === '-h')) {
      output.result(HELP)
      return DONE
    }
    output.message(HELP)
    return WRONG_USAGE
  }
  try {
    return await runCommand(command)
  } catch (error) {
    output.message(error instanceof Error ? error.message : String(error))
    if (error instanceof BadConfiguration) return BAD_CONFIGURATION
    return isUsageError(error) ? WRONG_USAGE : FAILED
  }
}
