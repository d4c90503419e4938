// A store in memory, lost when the process ends.
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Store } from '../../ports/store.js'
import { makeMemoryApiKeyStore } from './api-key-store.js'
import { makeMemoryIdGenerator } from './id-generator.js'
import { makeMemoryOutbox } from './outbox.js'
import { makePetRecords } from './pet-records.js'
import { makeMemoryPetRepository } from './pet-repository.js'

/** @since 1.0.0 @category Stores */
export interface MemoryStoreSettings {
  /** Whether new events are queued in the outbox. Without a relay they would pile up. */
  readonly isRelayed: boolean
}

/**
 * An empty store.
 *
 * @since 1.0.0 @category Stores
 * @example
 * await makeMemoryStore({ isRelayed: false }).ids.next() // => E.right(1n)
 */
export const makeMemoryStore = ({ isRelayed }: MemoryStoreSettings): Store => {
  const records = makePetRecords(isRelayed)
  return {
    pets: makeMemoryPetRepository(records),
    ids: makeMemoryIdGenerator(),
    apiKeys: makeMemoryApiKeyStore(),
    outbox: makeMemoryOutbox(records),
    ping: TE.right(undefined),
    close: async () => {},
  }
}
