// A store in memory, lost when the process ends.
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Store } from '../../ports/store.js'
import { makeMemoryApiKeyStore } from './api-key-store.js'
import { makeMemoryEventLog, makeMemoryRelayState } from './event-log.js'
import { makeMemoryIdGenerator } from './id-generator.js'
import { makePetRecords } from './pet-records.js'
import { makeMemoryPetRepository } from './pet-repository.js'

/**
 * An empty store.
 *
 * @example
 * await makeMemoryStore().ids.next() // => E.right(1n)
 */
export const makeMemoryStore = (): Store => {
  const records = makePetRecords()
  return {
    pets: makeMemoryPetRepository(records),
    ids: makeMemoryIdGenerator(records),
    apiKeys: makeMemoryApiKeyStore(),
    log: makeMemoryEventLog(records),
    relay: makeMemoryRelayState(records),
    ping: TE.right(undefined),
    close: async () => {},
  }
}
