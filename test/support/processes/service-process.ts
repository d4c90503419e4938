import { BUILT, type CliProcess, type Environment, launchCli, SOURCES, startCli } from './cli-process.js'

/** The port changes with every start, but the source of the events must not. */
const DEFAULTS: Environment = { PORT: '0', PUBLIC_URL: 'http://pets.test/v1' }

const LISTENING = /"url":"(http:[^"]+)"[^\n]*"msg":"listening"/

type Start = typeof startCli

const run = (start: Start, settings: Environment, ...words: readonly string[]): CliProcess =>
  start(BUILT, { ...DEFAULTS, ...settings }, ...words)

/** Returns stdout; rejects if the command fails. */
export const runCommand = async (settings: Environment, ...words: readonly string[]): Promise<string> => {
  const { exit, stdout, stderr } = run(launchCli, settings, ...words)
  const code = await exit
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr()}`)
  return stdout()
}

export const issueKey = async (settings: Environment): Promise<string> =>
  (await runCommand(settings, 'keys', 'create')).trim()

export interface ServiceProcess extends CliProcess {
  /** Includes `/v1`. */
  readonly url: string
}

const serve = async (start: Start, settings: Environment): Promise<ServiceProcess> => {
  const cli = run(start, settings, 'serve')
  return { ...cli, url: await cli.find(LISTENING) }
}

export const startServiceProcess = (settings: Environment): Promise<ServiceProcess> => serve(startCli, settings)

/** For a service that outlives a test: the caller must end it. */
export const launchServiceProcess = (settings: Environment): Promise<ServiceProcess> => serve(launchCli, settings)

/** Runs the sources with a store in memory; `options` are those of Node. */
export const startInMemory = async (environment: Environment = {}, options: readonly string[] = []) => {
  const settings = { STORE: 'memory', PORT: '0', DRAIN_SECONDS: '0', ...environment }
  const cli = startCli([...options, ...SOURCES], settings, 'serve')
  const url = await cli.find(/"url":"(http:[^"]+)"/)
  const key = await cli.find(/(ast_live_\w+)\n/)
  await cli.find(/"msg":"key created"\}\n/)
  const lines = () =>
    cli
      .stdout()
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
  return { ...cli, url, key, port: Number(new URL(url).port), lines }
}
