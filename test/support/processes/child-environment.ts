import { fileVariable, SETTING_NAMES } from '../../../src/config/settings.js'

/** Empty variables, so that no test reads the developer's own `.env`. */
const NO_SETTINGS = Object.fromEntries(
  SETTING_NAMES.flatMap((name) => [name, fileVariable(name)]).map((name) => [name, '']),
)

/** Only this environment and PATH, so that Node can be found. */
export const childEnvironment = (environment: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  ...NO_SETTINGS,
  ...environment,
})
