// A folder outside the repository, where the packed package is installed and used.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Scratch {
  readonly folder: string
  readonly write: (name: string, text: string) => Promise<void>
  /** The output on stdout; a failure contains everything that the command printed. */
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

/** npm arguments for an install that requests only uncached packages from the registry. */
export const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'] as const

/** Strict, for programs that use the installed package. */
export const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    types: ['node'],
    typeRoots: [join(process.cwd(), 'node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  },
}

/** Runs our compiler in the folder. */
export const tsc = (scratch: Scratch, ...options: readonly string[]): Promise<string> =>
  scratch.run(process.execPath, join(process.cwd(), 'node_modules/typescript/bin/tsc'), '-p', '.', ...options)
