// Runs the built service and its commands as processes.
import { BUILT, type CliProcess, type Environment, startCli } from './cli-process.js'

/** The port changes with every start, but the source of the events must not. */
const DEFAULTS: Environment = { PORT: '0', PUBLIC_URL: 'http://pets.test/v1' }

const start = (settings: Environment, ...words: readonly string[]): CliProcess =>
  startCli(BUILT, { ...DEFAULTS, ...settings }, ...words)

/** The output of a command on stdout; rejects if the command fails. */
export const runCommand = async (settings: Environment, ...words: readonly string[]): Promise<string> => {
  const { exit, stdout, stderr } = start(settings, ...words)
  const code = await exit
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr()}`)
  return stdout()
}

/** A new key with all scopes. */
export const issueKey = async (settings: Environment): Promise<string> =>
  (await runCommand(settings, 'keys', 'create')).trim()

export interface ServiceProcess extends Pick<CliProcess, 'end'> {
  /** With `/v1`. */
  readonly url: string
}

/** Starts the service and waits until it listens. */
export const startServiceProcess = async (settings: Environment): Promise<ServiceProcess> => {
  const { find, end } = start(settings, 'serve')
  return { url: await find(/"url":"(http:[^"]+)"[^\n]*"msg":"listening"/), end }
}
