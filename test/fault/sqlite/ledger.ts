// A process that adds pets, and what it has acknowledged.
import { fileURLToPath } from 'node:url'
import { bundleProgram } from '../../support/processes/bundle-program.js'
import { startCli } from '../../support/processes/cli-process.js'

const WRITER = bundleProgram(fileURLToPath(new URL('../../adapters/sqlite/writer.ts', import.meta.url)))

/** It adds pets until it is killed, at the latest when the test ends. */
export const startWriter = (directory: string, callers: number, prefix: string) => {
  const { find, end, stdout } = startCli([WRITER], {}, directory, String(callers), '0', prefix)
  return {
    /** Resolves once it has acknowledged this many pets. */
    acknowledged: (count: number) => find(new RegExp(`^(?:.*\\n){${count}}`)),
    /** Resolves to a line for each pet that it has acknowledged. */
    kill: async (): Promise<readonly string[]> => {
      await end('SIGKILL')
      return stdout().split('\n').slice(0, -1)
    },
  }
}
