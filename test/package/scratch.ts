// A folder outside the repository, where the packed package is installed and used.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startProcess } from '../support/processes/cli-process.js'

const execute = promisify(execFile)

export interface Scratch {
  readonly folder: string
  readonly write: (name: string, text: string) => Promise<void>
  /** Resolves to stdout; a failure contains the whole output. */
  readonly run: (command: string, ...args: readonly string[]) => Promise<string>
  /** The process ends with the test. The result waits for a match on stdout or stderr, and returns the first group. */
  readonly start: (
    variables: NodeJS.ProcessEnv,
    command: string,
    ...args: readonly string[]
  ) => (pattern: RegExp) => Promise<string>
  readonly remove: () => Promise<void>
}

const environment = (variables: NodeJS.ProcessEnv = {}) => ({ ...process.env, NODE_ENV: undefined, ...variables })

export const scratchIn = (folder: string): Scratch => ({
  folder,
  write: (name, text) => writeFile(join(folder, name), text),
  run: async (command, ...args) => {
    try {
      return (await execute(command, args, { cwd: folder, env: environment() })).stdout
    } catch (error) {
      if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error
      const output = `${String(error.stdout)}\n${String(error.stderr)}`
      throw new Error(`${command} ${args.join(' ')} failed\n${output}`)
    }
  },
  // a process group, because npm and npx start other processes
  start: (variables, command, ...args) =>
    startProcess(command, args, environment(variables), { cwd: folder, isGroup: true }).find,
  remove: () => rm(folder, { recursive: true }),
})

export const makeScratch = async (): Promise<Scratch> =>
  scratchIn(await mkdtemp(join(tmpdir(), 'animal-store-scratch-')))
