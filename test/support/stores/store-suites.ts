import type { ArchivedStore, Store } from '../../../src/ports/store.js'
import { apiKeyStoreContract } from '../../../src/testing/contracts/api-key-store.contract.js'
import { archiveContract } from '../../../src/testing/contracts/archive.contract.js'
import { type EventLogOptions, eventLogContract } from '../../../src/testing/contracts/event-log.contract.js'
import { idGeneratorContract } from '../../../src/testing/contracts/id-generator.contract.js'
import { petRepositoryContract } from '../../../src/testing/contracts/pet-repository.contract.js'
import { relayStateContract } from '../../../src/testing/contracts/relay.contract.js'
import {
  type SharedStoreHarness,
  sharedStoreContract,
  storeContract,
} from '../../../src/testing/contracts/store.contract.js'
import type { StoreName } from './suite-files.js'

/** The harness closes everything when the test ends. */
interface StoreHarness {
  readonly open: () => Promise<Store>
  /** As two processes see one empty storage; the same store twice if only one process can use it. */
  readonly openTwo: () => Promise<readonly [Store, Store]>
  /** A generator that has given out ids up to this one. */
  readonly openAfter: (last: bigint) => Promise<Pick<Store, 'ids' | 'close'>>
  readonly log?: EventLogOptions
}

/** For stores that outlive their process. */
interface SharedHarness extends StoreHarness {
  readonly open: () => Promise<ArchivedStore>
  readonly share: () => Promise<SharedStoreHarness>
}

type HarnessOf<N extends StoreName> = N extends 'memory' ? StoreHarness : SharedHarness

const isShared = (harness: StoreHarness): harness is SharedHarness => 'share' in harness

const close = async (): Promise<void> => {}

export const storeSuites = <N extends StoreName>(name: N, harness: HarnessOf<N>): void => {
  const { open, openTwo, openAfter, log }: StoreHarness = harness
  storeContract(name, open)
  petRepositoryContract(name, open)
  apiKeyStoreContract(name, open)
  idGeneratorContract(name, openAfter)
  eventLogContract(name, async () => ({ stores: await openTwo(), close }), log)
  relayStateContract(name, async () => {
    const [{ relay: one }, { relay: other }] = await openTwo()
    return { relays: [one, other], close }
  })
  if (!isShared(harness)) return
  sharedStoreContract(name, harness.share)
  archiveContract(name, harness.open)
}
