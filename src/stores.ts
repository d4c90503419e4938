// Which store the settings mean; the driver of another one is never loaded.
import { BadConfiguration, type Config } from './config.js'
import { loadDriver } from './drivers.js'
import type { ReportDamage } from './ports/damage-report.js'
import type { Store } from './ports/store.js'

const HIDDEN_URI = 'MONGODB_URI: got a value that is not shown'

/** Opens it; a driver that is missing or refuses its `MONGODB_URI` is `BadConfiguration`, before anything is opened. */
export const openStore = async (config: Config, reportDamage: ReportDamage): Promise<Store> => {
  const isRelayed = config.eventsUrl !== undefined
  if (config.store === 'mongodb' && config.mongodbUri !== undefined) {
    const load = () => import('./adapters/mongodb/store.js')
    const { openMongoStore } = await loadDriver(HIDDEN_URI, ['mongodb'], load)
    try {
      return openMongoStore({ uri: config.mongodbUri, isRelayed, reportDamage })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new BadConfiguration(`${HIDDEN_URI}, wanted one that the driver takes: ${reason}`)
    }
  }
  if (config.store === 'embedded') {
    const load = () => import('./adapters/lmdb/store.js')
    const { openLmdbStore } = await loadDriver('STORE: got "embedded"', ['lmdb'], load)
    return openLmdbStore({ directory: config.dataDir, isRelayed, reportDamage })
  }
  const { makeMemoryStore } = await import('./adapters/memory/store.js')
  return makeMemoryStore({ isRelayed })
}
