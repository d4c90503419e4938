import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { warnedIn } from '../runner/warnings.js'
import { BUNDLE } from './bundle.js'
import { childEnvironment } from './child-environment.js'

/** The arguments of Node: the bundle of `bundle.ts`, or the build. */
export type Program = readonly string[]
export const SOURCES: Program = [`${BUNDLE}/cli.js`]
export const BUILT: Program = ['dist/cli.js']

export type Environment = Readonly<Record<string, string>>

export interface CliProcess {
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until either output matches, and returns the first group. */
  readonly find: (pattern: RegExp) => Promise<string>
  readonly signal: (name: NodeJS.Signals) => void
  /** The exit code; null if a signal ended the process. */
  readonly exit: Promise<number | null>
  /** Sends the signal, unless the process has ended, and waits for the exit. */
  readonly end: (name: NodeJS.Signals) => Promise<number | null>
}

/** Passes only this environment. The caller must end the process. With `isGroup`, signals also reach its children. */
export const launchProcess = (
  file: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { cwd, isGroup = false }: { readonly cwd?: string; readonly isGroup?: boolean } = {},
): CliProcess => {
  const child = spawn(file, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: isGroup })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
      child.emit('printed')
    })
  }
  const { pid } = child
  if (pid === undefined) throw new Error('no process could be started')
  let hasEnded = false
  const exit = once(child, 'close').then(([code]) => {
    hasEnded = true
    warnedIn(printed.stderr)
    return typeof code === 'number' ? code : null
  })
  const find = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(printed.stdout) ?? pattern.exec(printed.stderr)
      if (found !== null) return found[1] ?? found[0]
      if (hasEnded) throw new Error(`the process has ended: ${printed.stdout}${printed.stderr}`)
      await Promise.race([once(child, 'printed'), exit])
    }
  }
  const signal = (name: NodeJS.Signals): void => {
    if (!isGroup) child.kill(name)
    else if (child.exitCode === null && child.signalCode === null) process.kill(-pid, name)
  }
  return {
    pid,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    find,
    signal,
    exit,
    end: (name) => {
      signal(name)
      return exit
    },
  }
}

/** The same, killed when the test ends. */
export const startProcess = (...program: Parameters<typeof launchProcess>): CliProcess => {
  const started = launchProcess(...program)
  onTestFinished(async () => {
    await started.end('SIGKILL')
  })
  return started
}

/** For commands that outlive a test. */
export const launchCli = (program: Program, environment: Environment, ...words: readonly string[]): CliProcess =>
  launchProcess(process.execPath, [...program, ...words], childEnvironment(environment))

export const startCli = (program: Program, environment: Environment, ...words: readonly string[]): CliProcess =>
  startProcess(process.execPath, [...program, ...words], childEnvironment(environment))
