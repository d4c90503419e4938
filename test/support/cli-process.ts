// The command line as a process of its own, run from its sources, with all that it prints.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

export interface CliProcess {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until what is printed on either stream matches, and gives its first group. */
  readonly find: (pattern: RegExp) => Promise<string>
  readonly signal: (name: NodeJS.Signals) => void
  /** Resolves to the exit code once the process is gone; null if a signal ended it. */
  readonly exit: Promise<number | null>
}

/** Starts a command in an environment that holds nothing but what is given; it does not outlive its test. */
export const startCli = (environment: Readonly<Record<string, string>>, ...words: readonly string[]): CliProcess => {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, ...words], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
    })
  }
  const exit = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null))
  const find = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(printed.stdout) ?? pattern.exec(printed.stderr)
      if (found !== null) return found[1] ?? found[0]
      if (child.exitCode !== null) throw new Error(`the process has ended: ${printed.stdout}${printed.stderr}`)
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), exit])
    }
  }
  return {
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    find,
    signal: (name) => void child.kill(name),
    exit,
  }
}
