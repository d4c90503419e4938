// The service and its commands as processes of their own, as an operator runs them; built once a file by `buildService`.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)
const CLI = 'dist/cli.js'

export type Environment = Readonly<Record<string, string>>

export const buildService = (): Promise<unknown> => run('npm', ['run', '--silent', 'build'])

/** The port changes with every start; the source of the events must not. */
const PUBLIC_URL = 'http://pets.test/v1'

const environmentOf = (settings: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  PORT: '0',
  PUBLIC_URL,
  ...settings,
})

/** What a command prints on stdout; it rejects if the command fails. */
export const runCommand = async (settings: Environment, ...words: readonly string[]): Promise<string> =>
  (await run(process.execPath, [CLI, ...words], { env: environmentOf(settings) })).stdout

export interface ServiceProcess {
  /** With `/v1`. */
  readonly url: string
  /** Sends the signal and resolves, once the process is gone, to its exit code; null if a signal ended it. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Starts the service and waits until it listens. */
export const startServiceProcess = async (settings: Environment): Promise<ServiceProcess> => {
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  const url = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const entry: unknown = JSON.parse(line)
      const isListening = typeof entry === 'object' && entry !== null && 'msg' in entry && entry.msg === 'listening'
      if (isListening && 'url' in entry) resolve(String(entry.url))
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it listened`)))
  })
  return {
    url: await url,
    end: async (signal) => {
      child.kill(signal)
      const [code] = await exit
      return typeof code === 'number' ? code : null
    },
  }
}
