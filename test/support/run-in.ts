// The command line in this process, with all that it prints.
import { runCommandLine } from '../../src/commands/command-line.js'

/** Runs it in an environment that holds nothing but what is given. */
export const runIn = async (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => {
  const printed = { stdout: '', stderr: '' }
  const code = await runCommandLine(words, environment, {
    result: (text) => {
      printed.stdout += `${text}\n`
    },
    message: (text) => {
      printed.stderr += `${text}\n`
    },
  })
  return { code, ...printed }
}
