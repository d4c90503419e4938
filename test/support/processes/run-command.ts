// Runs the command line in the process of the test, and collects its output.
import { systemClock } from '../../../src/adapters/node/system.js'
import type { Output } from '../../../src/commands/command.js'
import { runCommandLine } from '../../../src/commands/command-line.js'
import type { Clock } from '../../../src/ports/clock.js'

type Environment = Readonly<Record<string, string>>

/** Only with this environment. */
export const runCommandAt = async (clock: Clock, environment: Environment, ...words: readonly string[]) => {
  const printed = { stdout: '', stderr: '' }
  const output: Output = {
    result: async (text) => {
      printed.stdout += `${text}\n`
    },
    audit: () => undefined,
    message: (text) => {
      // each command names its store: test/commands/store-line.slow.test.ts
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
