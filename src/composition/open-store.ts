// Loads drivers, which are optional packages, and opens the configured store. The drivers of other stores are never loaded.
import { resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type { Config, StoreConfig } from '../config/config.js'
import { BadConfiguration } from '../config/config.js'
import type { Notify, ReportDamage } from '../ports/notice.js'
import type { ArchivedStore, Store } from '../ports/store.js'
import type { StoreObserver } from '../ports/store-observer.js'

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

/**
 * Calls a module of the MongoDB adapter with the URI. Throws `BadConfiguration`, with the variable of the URI, if the driver is
 * missing or refuses the URI.
 */
export const fromMongodbUri = async <M, A>(
  { secretVariables }: Pick<Config, 'secretVariables'>,
  load: () => Promise<M>,
  make: (module: M) => A,
): Promise<A> => {
  const hidden = `${secretVariables.mongodbUri}: got a value that is not shown`
  const module = await loadDriver(hidden, ['mongodb'], load)
  try {
    return make(module)
  } catch (error) {
    throw new BadConfiguration(`${hidden}, wanted one that the driver accepts: ${E.toError(error).message}`)
  }
}

/** The folder in which an embedded store would be created, if there is none yet. */
export const missingStoreFolder = async ({ store }: Config): Promise<string | undefined> => {
  switch (store._tag) {
    case 'embedded': {
      const { holdsStore } = await loadEmbedded(() => import('../adapters/lmdb/environment/folder.js'))
      return (await holdsStore(store.directory)) ? undefined : resolve(store.directory)
    }
    case 'mongodb':
    case 'memory':
      return undefined
  }
}

export interface Opening {
  readonly reportDamage: ReportDamage
  readonly notify: Notify
  /** Whether to check the file of an embedded store before it is mapped; for the service. */
  readonly checksDataFile: boolean
  /** Absent: the store measures nothing. */
  readonly observer?: StoreObserver | undefined
}

/** The stores that outlive a process. */
type SharedStoreConfig = Exclude<StoreConfig, { readonly _tag: 'memory' }>

/**
 * Opens a store that other processes may use at the same time. A driver that is missing or refuses its `MONGODB_URI` is
 * `BadConfiguration`, before anything is opened.
 */
export const openSharedStore = async (
  config: Config,
  store: SharedStoreConfig,
  { reportDamage, notify, checksDataFile, observer }: Opening,
): Promise<ArchivedStore> => {
  switch (store._tag) {
    case 'mongodb':
      return fromMongodbUri(
        config,
        () => import('../adapters/mongodb/store.js'),
        ({ makeMongoStore }) => makeMongoStore({ uri: store.uri, reportDamage, notify, observer }),
      )
    case 'embedded': {
      const { openLmdbStore } = await loadEmbedded(() => import('../adapters/lmdb/store.js'))
      const opened = await openLmdbStore({
        directory: store.directory,
        checksDataFile,
        reportDamage,
        notify,
        observer,
      })()
      if (E.isLeft(opened)) throw E.toError(opened.left.cause)
      return opened.right
    }
  }
}

/** Opens the store of the service; fails as `openSharedStore` does. */
export const openStore = async (config: Config, opening: Opening): Promise<Store> => {
  if (config.store._tag !== 'memory') return openSharedStore(config, config.store, opening)
  const { makeMemoryStore } = await import('../adapters/memory/store.js')
  return makeMemoryStore()
}
