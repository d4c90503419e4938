// A folder outside the repository, where the packed package is installed and used.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const execute = promisify(execFile)

export interface Scratch {
  readonly folder: string
  readonly write: (name: string, text: string) => Promise<void>
  /** The output on stdout; a failure contains everything that the command printed. */
  readonly run: (command: string, ...args: readonly string[]) => Promise<string>
  /** Starts what ends with the test. The result waits until the output on stdout or stderr matches, and returns the first group. */
  readonly start: (
    variables: NodeJS.ProcessEnv,
    command: string,
    ...args: readonly string[]
  ) => (pattern: RegExp) => Promise<string>
  readonly remove: () => Promise<void>
}

const environment = (variables: NodeJS.ProcessEnv = {}) => ({ ...process.env, NODE_ENV: undefined, ...variables })

/** This folder, which exists. */
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
  start: (variables, command, ...args) => {
    // npm and npx start processes of their own, so all of the group are ended
    const child = spawn(command, args, {
      cwd: folder,
      env: environment(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const closed = once(child, 'close')
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += String(bytes)))
    onTestFinished(async () => {
      if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
      await closed
    })
    return async (pattern) => {
      for (;;) {
        const found = pattern.exec(printed)
        if (found !== null) return found[1] ?? found[0]
        if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')} has ended: ${printed}`)
        await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), closed])
      }
    }
  },
  remove: () => rm(folder, { recursive: true }),
})

/** An empty folder. */
export const makeScratch = async (): Promise<Scratch> =>
  scratchIn(await mkdtemp(join(tmpdir(), 'animal-store-scratch-')))
