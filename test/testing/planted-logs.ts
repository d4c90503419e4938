// Memory stores with a planted fault, under the suite of their log. For event-log.contract.slow.test.ts, which runs it.
import { setImmediate } from 'node:timers/promises'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import type { LogPage, LogRequest } from '../../src/ports/event-log.js'
import type { Store } from '../../src/ports/store.js'
import { eventLogContract } from '../../src/testing/contracts/event-log.contract.js'
import { headOf } from '../../src/testing/contracts/event-log-samples.js'
import { range, succeed } from '../../src/testing/samples.js'

/** A log whose pages end at a head that is read by itself. */
const withLog = (store: Store, headAfterPage: () => Promise<number>): Store => {
  const read = async (request: LogRequest): Promise<LogPage> => {
    const page = await succeed(store.log.read(request))
    const last = await headAfterPage()
    return page.events.length < request.limit ? { ...page, upTo: last } : page
  }
  return { ...store, log: { ...store.log, read: (request) => TE.fromTask(() => read(request)) } }
}

const FAULTS: Readonly<Record<string, (store: Store) => Store>> = {
  'reads its head after the page': (store) =>
    withLog(store, async () => {
      await setImmediate()
      return headOf(store)
    }),
  'has a head that rises before the pet can be read': (store) => {
    let last = 0
    const add: Store['pets']['add'] = (record) => async () => {
      last = Math.max(last, Number(record.event.pet.id))
      await setImmediate()
      return store.pets.add(record)()
    }
    return { ...withLog(store, async () => Math.max(last, await headOf(store))), pets: { ...store.pets, add } }
  },
}

for (const [fault, plant] of Object.entries(FAULTS)) {
  for (const run of range(1, 10)) {
    const make = async () => {
      const store = plant(makeMemoryStore())
      return { stores: [store, store] as const, close: async () => {} }
    }
    eventLogContract(`${fault}, ${run}`, make, { runs: 1 })
  }
}
