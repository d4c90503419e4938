import * as O from 'fp-ts/lib/Option.js'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { makePetRecords } from '../../../src/adapters/memory/pet-repository.js'
import { makeMemoryIdGenerator, makeMemoryStore } from '../../../src/adapters/memory/store.js'
import type { PetCreated } from '../../../src/domain/events/domain-event.js'
import { KEPT_AFTER_EXPIRY_MS } from '../../../src/domain/pets/add-pet.js'
import type { HeldIdempotencyKey } from '../../../src/domain/pets/decide-add.js'
import type { Store } from '../../../src/ports/store.js'
import { eventLogContract } from '../../../src/testing/contracts/event-log.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { eventPublisherContract } from '../../../src/testing/contracts/relay.contract.js'
import { storeContract } from '../../../src/testing/contracts/store.contract.js'
import { storeSuites } from '../../support/stores/store-suites.js'

const close = async (): Promise<void> => {}

storeSuites('memory', {
  open: async () => makeMemoryStore(),
  openTwo: async () => {
    const store = makeMemoryStore()
    return [store, store]
  },
  openAfter: async (last) => ({ ids: makeMemoryIdGenerator(makePetRecords(last)), close }),
})
/** Drops a key at its end, as a database that removes keys by its own clock. */
const removingByOwnClock = (store: Store): Store => {
  const isLeft = ({ expiresAt }: HeldIdempotencyKey): boolean => expiresAt + KEPT_AFTER_EXPIRY_MS > Date.now()
  const add: Store['pets']['add'] = (record) =>
    store.pets.add({ ...record, idempotencyKey: O.filter(isLeft)(record.idempotencyKey) })
  return { ...store, pets: { ...store.pets, add } }
}
const openRemoving = async () => removingByOwnClock(makeMemoryStore())
petRepositoryContract('memory, which removes keys by its own clock', openRemoving)
eventLogContract('memory, which removes keys by its own clock', async () => {
  const store = await openRemoving()
  return { stores: [store, store], close }
})
storeContract('memory, without a log', async () => {
  const { log: _, relay: __, ...store } = makeMemoryStore()
  return store
})
eventPublisherContract('in process', async () => {
  const events: PetCreated[] = []
  let isAway = false
  const subscribers = [
    async () => {
      if (isAway) throw new Error('away')
    },
    (event: PetCreated): void => void events.push(event),
  ]
  const setAway = (value: boolean) => async (): Promise<void> => {
    isAway = value
  }
  const [interrupt, restore] = [setAway(true), setAway(false)]
  return { publisher: makeInProcessPublisher(subscribers), received: async () => events, interrupt, restore, close }
})
