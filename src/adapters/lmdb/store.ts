// All of the embedded store: the ports over one folder, which several processes of one machine may share.
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import type { Store } from '../../ports/store.js'
import { makeLmdbApiKeyStore } from './api-key-store.js'
import { openEnvironment } from './environment.js'
import { COUNTER_KEY, makeLmdbIdGenerator } from './id-generator.js'
import { makeLmdbOutbox } from './outbox.js'
import { makeLmdbPetRepository } from './pet-repository.js'

export interface LmdbStoreSettings {
  /** The folder; made, for this user alone, if it is missing. */
  readonly directory: string
  /** Whether new events wait in the outbox; without a relay that settles them they would pile up. */
  readonly isRelayed: boolean
  readonly reportDamage: ReportDamage
}

/**
 * Opens the store. Rejects, with a message for people and the folder untouched, if the folder cannot be used: no
 * permission, a newer format, a damaged file.
 *
 * @example
 * const store = await openLmdbStore({ directory: './pets', isRelayed: false, reportDamage: console.error })
 * await store.pets.findById(1n)() // => E.right(O.none)
 * await store.close()
 */
export const openLmdbStore = async (settings: LmdbStoreSettings): Promise<Store> => {
  const environment = await openEnvironment(settings.directory)
  return {
    pets: makeLmdbPetRepository(environment, settings),
    ids: makeLmdbIdGenerator(environment),
    apiKeys: makeLmdbApiKeyStore(environment, settings.reportDamage),
    outbox: makeLmdbOutbox(environment, settings.reportDamage),
    ping: TE.asUnit(environment.read((tables) => tables.meta.get(COUNTER_KEY))),
    close: environment.close,
  }
}
