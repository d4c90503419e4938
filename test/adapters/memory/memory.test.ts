import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { makePetRecords } from '../../../src/adapters/memory/pet-repository.js'
import { makeMemoryIdGenerator, makeMemoryStore } from '../../../src/adapters/memory/store.js'
import type { PetCreated } from '../../../src/domain/events/domain-event.js'
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
