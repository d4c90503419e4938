// A folder outside of the repository in which the packed package is installed and used as anybody would.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Scratch {
  readonly folder: string
  readonly write: (name: string, text: string) => Promise<void>
  /** Its output on stdout; a failure shows all that the command printed. */
  readonly run: (command: string, ...args: readonly string[]) => Promise<string>
  readonly remove: () => Promise<void>
}

/** An empty folder, or a copy of another one. */
export const makeScratch = async (original?: string): Promise<Scratch> => {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-scratch-'))
  if (original !== undefined) await cp(original, folder, { recursive: true })
  return {
    folder,
    write: (name, text) => writeFile(join(folder, name), text),
    run: async (command, ...args) => {
      try {
        return (await execute(command, args, { cwd: folder, env: { ...process.env, NODE_ENV: undefined } })).stdout
      } catch (error) {
        if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error
        const output = `${String(error.stdout)}\n${String(error.stderr)}`
        throw new Error(`${command} ${args.join(' ')} failed\n${output}`)
      }
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Arguments of npm for an install that asks the registry only for what the cache lacks. */
export const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'] as const
