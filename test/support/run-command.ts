// Runs the command line within the test's own process, and collects what it prints.
import { runCommandLine } from '../../src/commands/command-line.js'

export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** In an environment that holds nothing but what is given. */
export const runCommand = async (
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Printed> => {
  const printed = { stdout: '', stderr: '' }
  const code = await runCommandLine(words, environment, {
    result: (text) => {
      printed.stdout += `${text}\n`
    },
    audit: () => undefined,
    message: (text) => {
      printed.stderr += `${text}\n`
    },
  })
  return { code, ...printed }
}
