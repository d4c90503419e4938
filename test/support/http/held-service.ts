// A service over the embedded store whose work a test can hold, to observe it in the metrics.

import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { silentLog, VERSION } from '../../../src/composition/service-log.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { Store } from '../../../src/ports/store.js'
import { numbered, record, succeed } from '../../../src/testing/samples.js'
import { damagePets, openStoreIn } from '../../adapters/sqlite/open-store.js'
import { type Series, seriesIn } from '../documents/scrape.js'
import { delivered, failed } from '../domain/log-reads.js'
import { makeGate } from '../runner/gate.js'
import { temporaryPath } from '../runner/temporary-folder.js'
import { fetchOnce, runService } from './running-service.js'

/** The pets were created one second after 1970. */
export const SINCE_FIRST_MS = 1_000

/** Lists and the first publication wait. `away` makes lists or the relay's record unavailable. */
export const startHeld = async () => {
  const directory = await temporaryPath()
  const former = await openStoreIn(directory)
  for (const id of [1, 2]) await succeed(former.pets.add(record(numbered(id), O.none, SINCE_FIRST_MS)))
  await former.close()
  damagePets(directory, 2)
  const metrics = await loadMetrics({ version: VERSION })
  const store = await openStoreIn(directory, { reportDamage: metrics.damaged, observer: metrics.storeObserver })
  const [listing, listed, published] = [makeGate(), makeGate(), makeGate()]
  const away = { lists: false, relay: false }
  const left = E.left(unavailable(new Error('away')))
  const pets: Store['pets'] = {
    ...store.pets,
    findPage: (query) => async () => {
      if (away.lists) return left
      listing.open()
      await listed.opened
      return store.pets.findPage(query)()
    },
  }
  const load: Store['relay']['load'] = async () => (away.relay ? left : store.relay.load())
  let hasFailed = false
  const publisher = () => ({
    publish: (events: readonly unknown[]) => async () => {
      await published.opened
      if (hasFailed) return events.map(() => delivered)
      hasFailed = true
      return [failed]
    },
    isConnected: () => true,
  })
  const held = { ...store, pets, relay: { ...store.relay, load } }
  const settings = { metricsPort: 0, maxInFlight: 1, maxConnections: 8 }
  const service = await runService(settings, { store: held, publisher, metrics, log: silentLog })
  const read = async (): Promise<Series> => seriesIn(await (await fetchOnce(service.metricsUrl ?? '')).text())
  return { ...service, directory, store, away, listing, listed, published, read }
}
