// Loads drivers, which are optional packages. If one is missing, the setting that needs it is bad.
import { BadConfiguration } from '../config/bad-configuration.js'

/** The package that an `import` has not found, or a `require`, by which the bundled command line loads packages. */
export const missingPackage = (error: unknown): string | undefined =>
  error instanceof Error ? /^Cannot find (?:package|module) '([^'./][^']*)'/.exec(error.message)?.[1] : undefined

/**
 * The module that `load` imports. Throws `BadConfiguration` with the packages to install if one is missing. `got` describes
 * the setting.
 */
export const loadDriver = async <A>(got: string, packages: readonly string[], load: () => Promise<A>): Promise<A> => {
  try {
    return await load()
  } catch (error) {
    const missing = missingPackage(error)
    if (missing === undefined || !packages.includes(missing)) throw error
    throw new BadConfiguration(`${got}, wanted its driver, which is not installed: npm install ${packages.join(' ')}`)
  }
}

/** A module that needs the driver of the embedded store. */
export const loadEmbedded = <A>(load: () => Promise<A>): Promise<A> =>
  loadDriver('STORE: got "embedded"', ['lmdb'], load)
