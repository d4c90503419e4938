// Which store the settings mean; the driver of another one is never loaded.
import type { Config } from './config.js'
import type { ReportDamage } from './ports/damage-report.js'
import type { Store } from './ports/store.js'

export const openStore = async (config: Config, reportDamage: ReportDamage): Promise<Store> => {
  const isRelayed = config.eventsUrl !== undefined
  if (config.store === 'mongodb' && config.mongodbUri !== undefined) {
    const { openMongoStore } = await import('./adapters/mongodb/store.js')
    return openMongoStore({ uri: config.mongodbUri, isRelayed, reportDamage })
  }
  if (config.store === 'embedded') {
    const { openLmdbStore } = await import('./adapters/lmdb/store.js')
    return openLmdbStore({ directory: config.dataDir, isRelayed, reportDamage })
  }
  const { makeMemoryStore } = await import('./adapters/memory/store.js')
  return makeMemoryStore({ isRelayed })
}
