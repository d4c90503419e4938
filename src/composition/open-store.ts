// Opens the configured store. The drivers of other stores are never loaded.

import { resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { BadConfiguration, type Config, HIDDEN, type StoreConfig } from '../config/config.js'
import { PERCENT_ENCODING } from '../config/events-url.js'
import { asError } from '../domain/thrown.js'
import type { Notify, ReportDamage } from '../ports/notice.js'
import type { ArchivedStore, Store } from '../ports/store.js'
import type { StoreObserver } from '../ports/store-observer.js'

/** A module that needs SQLite, whose native code is not in the bundle of the command line. `BadConfiguration` if it is not installed. */
export const loadEmbedded = async <M>(load: () => Promise<M>): Promise<M> => {
  try {
    return await load()
  } catch (error) {
    if (!/^Cannot find (?:package|module) '@photostructure\/sqlite'/.test(asError(error).message)) throw error
    throw new BadConfiguration(
      'STORE: got "embedded", wanted its driver, which is not installed: npm install @photostructure/sqlite',
    )
  }
}

/** Calls a module of the MongoDB adapter with the URI. Throws `BadConfiguration`, with the variable of the URI, if the driver refuses it. */
export const fromMongodbUri = async <M, A>(
  { mongodbVariable }: Pick<Config, 'mongodbVariable'>,
  load: () => Promise<M>,
  make: (module: M) => A,
): Promise<A> => {
  const module = await load()
  try {
    return make(module)
  } catch {
    // the driver's own words would quote the URI
    throw new BadConfiguration(
      `${mongodbVariable}: got ${HIDDEN}, wanted one whose options the driver accepts; ${PERCENT_ENCODING}`,
    )
  }
}

/** The folder in which an embedded store would be created, if there is none yet. */
export const missingStoreFolder = async ({ store }: Config): Promise<string | undefined> => {
  switch (store._tag) {
    case 'embedded': {
      const { holdsStore } = await import('../adapters/sqlite/file/folder.js')
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
  /** Absent: the store measures nothing. */
  readonly observer?: StoreObserver | undefined
}

type SharedStoreConfig = Exclude<StoreConfig, { readonly _tag: 'memory' }>

/** `BadConfiguration`, before anything is opened, if SQLite is missing or the driver refuses `MONGODB_URI`. */
export const openSharedStore = async (
  config: Config,
  store: SharedStoreConfig,
  { reportDamage, notify, observer }: Opening,
): Promise<ArchivedStore> => {
  switch (store._tag) {
    case 'mongodb':
      return fromMongodbUri(
        config,
        () => import('../adapters/mongodb/store.js'),
        ({ makeMongoStore }) => makeMongoStore({ uri: store.uri, reportDamage, notify, observer }),
      )
    case 'embedded': {
      const { openSqliteStore } = await loadEmbedded(() => import('../adapters/sqlite/store.js'))
      const opened = await openSqliteStore({
        directory: store.directory,
        reportDamage,
        notify,
        observer,
      })()
      if (E.isLeft(opened)) throw asError(opened.left.cause)
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
