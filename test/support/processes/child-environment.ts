// The environment of the processes that tests start.

/** The variable with the folder in which they leave what they have run; absent if this run counts no coverage. */
export const COVERAGE_FOLDER = 'PROCESS_COVERAGE'

/** Only this environment, and what Node needs to be found and to write its coverage in V8's own form. */
export const childEnvironment = (environment: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const folder = process.env[COVERAGE_FOLDER]
  return { PATH: process.env['PATH'], ...(folder !== undefined && { NODE_V8_COVERAGE: folder }), ...environment }
}
