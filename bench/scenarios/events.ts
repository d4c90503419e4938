// What publishing costs a create, and how long an event takes from the 201 to a consumer.
import { join } from 'node:path'
import { launchBroker } from '../../test/support/nats/nats-broker.js'
import { type Arrivals, withArrivals } from '../method/arrivals.js'
import { BASE_URL, createRequest, NEW_PET } from '../method/learn.js'
import { openLoad } from '../method/load.js'
import { SERVICE } from '../method/paths.js'
import { quantile, rounded } from '../method/quantile.js'
import { ask, requestBytes } from '../method/request.js'
import { figureOf, type Row } from '../method/result.js'
import { compare } from '../method/rounds.js'
import { type Server, withServers } from '../method/server-process.js'
import { cell, markdownTable, ratio } from '../report/markdown.js'
import type { Scenario } from './scenario.js'

const CONNECTIONS = 32
const PROBES = 100
/** Rounds of load beside the probes; if the relay is slower than the creates, delays grow with them. */
const LOADED_ROUNDS = 3
const OFF = 'without events'
const ON = 'with events'
const CREATE = 'create, 32'

/** Milliseconds from the 201 to the event's arrival, one probe after the other. */
const delays = async (
  { port }: Server,
  key: string,
  arrivals: Arrivals,
  goesOn: (done: number) => boolean,
): Promise<readonly number[]> => {
  const found: number[] = []
  while (goesOn(found.length)) {
    const { body } = await ask(port, createRequest(key, { ...NEW_PET, name: 'probe' }))
    const answered = performance.now()
    const { id } = JSON.parse(body) as { readonly id: number }
    // an event may overtake its response
    found.push(Math.max(0, (await arrivals.instantOf(id)) - answered))
  }
  return found
}

const delayRow = (when: string, found: readonly number[]): Row => ({
  case: `201 to consumer, ${when}`,
  server: ON,
  values: { p50Ms: rounded(quantile(found, 0.5)), p99Ms: rounded(quantile(found, 0.99)) },
})

export const events: Scenario = {
  name: 'events',
  summary:
    'The embedded store with and without events to NATS JetStream, which syncs each message to disk. The CPU time of a create ' +
    'includes that of its event: a round ends when its last event has arrived at a consumer.',
  needsContainers: true,
  run: async ({ plan, folder, progress }) => {
    const broker = await launchBroker('jetstream { sync_interval: always }')
    try {
      return await withServers(async (start) => {
        const serve = (name: string, environment: Readonly<Record<string, string>>): Promise<Server> => {
          const settings = { STORE: 'embedded', DATA_DIR: join(folder, name), PUBLIC_URL: BASE_URL, ...environment }
          return start({ name, program: [SERVICE, 'serve'], environment: settings })
        }
        const [off, on] = [await serve(OFF, {}), await serve(ON, { EVENTS_URL: broker.url })]
        const [offKey, onKey] = [await off.printed(/(ast_live_\w+)/), await on.printed(/(ast_live_\w+)/)]
        return withArrivals(broker.url, async (arrivals) => {
          progress('201 to consumer, at rest')
          const atRest = await delays(on, onKey, arrivals, (done) => done < (plan.isSmoke ? 3 : PROBES))

          progress(CREATE)
          const requests = [requestBytes(createRequest(onKey))]
          const observe = async () => {
            const before = arrivals.count()
            const begin = performance.now()
            return async ({ requests: created }: { readonly requests: number }) => {
              await arrivals.until(before + created)
              return { eventsPerSecond: created / ((performance.now() - begin) / 1_000) }
            }
          }
          const subjects = [
            { server: off, requests: [requestBytes(createRequest(offKey))], status: 201 },
            { server: on, requests, status: 201, observe },
          ]
          const rows = await compare(CREATE, subjects, CONNECTIONS, plan)

          progress('201 to consumer, under load')
          const load = await openLoad(on.port, requests, 201, CONNECTIONS)
          let isBusy = true
          const busy = load.run(plan.roundMs * LOADED_ROUNDS).finally(() => {
            isBusy = false
          })
          const [underLoad] = await Promise.all([delays(on, onKey, arrivals, () => isBusy), busy])
          load.close()
          return [...rows, delayRow('at rest', atRest), delayRow('under load', underLoad)]
        })
      })
    } finally {
      await broker.remove()
    }
  },
  table: (result) => {
    const peer = figureOf(result, CREATE, OFF, 'cpuMicros')
    const rows = result.rows.map(({ case: name, server, values }) => [
      `${name}, ${server}`,
      ...['perSecond', 'eventsPerSecond', 'cpuMicros', 'p50Ms', 'p99Ms'].map((figure) =>
        cell(values[figure] ?? Number.NaN),
      ),
      ratio((values['cpuMicros'] ?? Number.NaN) / peer),
    ])
    return markdownTable(['', 'creates/s', 'events/s', 'CPU µs', 'p50 ms', 'p99 ms', `CPU of ${OFF}`], rows)
  },
}
