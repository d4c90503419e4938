// Which store the settings mean; the driver of another one is never loaded.
import { BadConfiguration, type Config } from './config.js'
import type { ReportDamage } from './ports/damage-report.js'
import type { Store } from './ports/store.js'

/** Opens it; a `MONGODB_URI` that the driver refuses is `BadConfiguration`, before anything is opened. */
export const openStore = async (config: Config, reportDamage: ReportDamage): Promise<Store> => {
  const isRelayed = config.eventsUrl !== undefined
  if (config.store === 'mongodb' && config.mongodbUri !== undefined) {
    const { openMongoStore } = await import('./adapters/mongodb/store.js')
    try {
      return openMongoStore({ uri: config.mongodbUri, isRelayed, reportDamage })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new BadConfiguration(
        `MONGODB_URI: got a value that is not shown, wanted one that the driver takes: ${reason}`,
      )
    }
  }
  if (config.store === 'embedded') {
    const { openLmdbStore } = await import('./adapters/lmdb/store.js')
    return openLmdbStore({ directory: config.dataDir, isRelayed, reportDamage })
  }
  const { makeMemoryStore } = await import('./adapters/memory/store.js')
  return makeMemoryStore({ isRelayed })
}
