// Runs the command line in the test's own process.
import { systemClock } from '../../../src/adapters/node/system.js'
import type { RawOutput } from '../../../src/commands/command.js'
import { runCommandLine } from '../../../src/commands/command-line.js'
import type { Clock } from '../../../src/ports/clock.js'

type Environment = Readonly<Record<string, string>>

export const runCommandAt = async (clock: Clock, environment: Environment, ...words: readonly string[]) => {
  const printed = { stdout: '', stderr: '' }
  const output: RawOutput = {
    result: async (text) => {
      printed.stdout += `${text}\n`
    },
    audit: () => undefined,
    message: (text) => {
      // every command prints this line, which test/commands/store-line.slow.test.ts checks
      if (text.startsWith('store: ')) return
      printed.stderr += `${text}\n`
    },
    notice: async (text) => {
      printed.stderr += `${text}\n`
    },
  }
  const code = await runCommandLine(words, environment, output, clock)
  return { code, ...printed }
}

export const runCommand = (environment: Environment, ...words: readonly string[]) =>
  runCommandAt(systemClock, environment, ...words)
