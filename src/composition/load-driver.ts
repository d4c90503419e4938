// Loads drivers, which are optional packages. If one is missing, the setting that needs it is bad.
import { BadConfiguration } from '../config/bad-configuration.js'

/** Of `import`, and of `require`, by which the bundled command line loads packages. */
const MISSING: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

const isMissing = (error: unknown, packages: readonly string[]): boolean =>
  error instanceof Error &&
  'code' in error &&
  MISSING.includes(error.code) &&
  packages.some((name) => error.message.includes(`'${name}'`))

/**
 * The module that `load` imports. Throws `BadConfiguration` with the packages to install if one is missing. `got` describes
 * the setting.
 */
export const loadDriver = async <A>(got: string, packages: readonly string[], load: () => Promise<A>): Promise<A> => {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, packages)) throw error
    throw new BadConfiguration(`${got}, wanted its driver, which is not installed: npm install ${packages.join(' ')}`)
  }
}
