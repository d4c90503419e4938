// Which store the settings mean; the driver of another one is never loaded.
import { resolve } from 'node:path'
import { BadConfiguration, type Config } from './config.js'
import { loadDriver } from './drivers.js'
import type { ReportDamage } from './ports/damage-report.js'
import type { Notify } from './ports/notice.js'
import type { Store } from './ports/store.js'

const HIDDEN_URI = 'MONGODB_URI: got a value that is not shown'

/** What a module of the MongoDB adapter makes of the URI; a driver that is missing or refuses it is `BadConfiguration`. */
export const fromMongodbUri = async <M, A>(load: () => Promise<M>, make: (module: M) => A): Promise<A> => {
  const module = await loadDriver(HIDDEN_URI, ['mongodb'], load)
  try {
    return make(module)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BadConfiguration(`${HIDDEN_URI}, wanted one that the driver takes: ${reason}`)
  }
}

/** The folder that an embedded store of these settings would be made in, if it is not there yet. */
export const missingStoreFolder = async (config: Config): Promise<string | undefined> => {
  if (config.store !== 'embedded') return undefined
  const { holdsStore } = await import('./adapters/lmdb/folder.js')
  return (await holdsStore(config.dataDir)) ? undefined : resolve(config.dataDir)
}

/** Opens it; a driver that is missing or refuses its `MONGODB_URI` is `BadConfiguration`, before anything is opened. */
export const openStore = async (config: Config, reportDamage: ReportDamage, notify: Notify): Promise<Store> => {
  const isRelayed = config.eventsUrl !== undefined
  const { mongodbUri: uri } = config
  if (config.store === 'mongodb' && uri !== undefined) {
    return fromMongodbUri(
      () => import('./adapters/mongodb/store.js'),
      ({ openMongoStore }) => openMongoStore({ uri, isRelayed, reportDamage, notify }),
    )
  }
  if (config.store === 'embedded') {
    const load = () => import('./adapters/lmdb/store.js')
    const { openLmdbStore } = await loadDriver('STORE: got "embedded"', ['lmdb'], load)
    return openLmdbStore({ directory: config.dataDir, isRelayed, reportDamage })
  }
  const { makeMemoryStore } = await import('./adapters/memory/store.js')
  return makeMemoryStore({ isRelayed })
}
