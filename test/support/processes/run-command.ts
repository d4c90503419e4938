// Runs the command line in the process of the test, and collects its output.
import { runCommandLine } from '../../../src/commands/command-line.js'

export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Only with this environment. */
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
      // each command names its store: test/commands/store-line.test.ts
      if (text.startsWith('store: ')) return
      printed.stderr += `${text}\n`
    },
  })
  return { code, ...printed }
}
