// The environment of the processes that tests start.
import { fileVariable, SETTING_NAMES } from '../../../src/config/settings.js'

/** The variable with the folder in which they leave what they have run; absent if this run counts no coverage. */
export const COVERAGE_FOLDER = 'PROCESS_COVERAGE'

/** Empty variables, so that no test reads them from the developer's own `.env`. */
const NO_SETTINGS = Object.fromEntries(
  SETTING_NAMES.flatMap((name) => [name, fileVariable(name)]).map((name) => [name, '']),
)

/** Only this environment, and what Node needs to be found and to write its coverage in V8's own form. */
export const childEnvironment = (environment: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const folder = process.env[COVERAGE_FOLDER]
  return {
    PATH: process.env['PATH'],
    ...NO_SETTINGS,
    ...(folder !== undefined && { NODE_V8_COVERAGE: folder }),
    ...environment,
  }
}
