// The cost of publishing per create, and the delay from the 201 to a consumer, compared with a bare publisher.
import { join } from 'node:path'
import { launchBroker } from '../../test/support/nats/nats-broker.js'
import { type Arrivals, withArrivals } from '../method/arrivals.js'
import { BASE_URL, createRequest, NEW_PET } from '../method/learn.js'
import { type Load, openLoad, type Round } from '../method/load.js'
import { pathOf, SERVICE } from '../method/paths.js'
import { quantile, rounded } from '../method/quantile.js'
import { ask, type HttpRequest, requestBytes } from '../method/request.js'
import { compare } from '../method/rounds.js'
import { figureOf, type Row } from '../method/row.js'
import { type Server, withServers } from '../method/server-process.js'
import { cell, markdownTable, ratio } from '../report/markdown.js'
import type { Scenario } from './scenario.js'

const CONNECTIONS = 32
const PROBES = 100
/** Rounds of load during the probes. If the relay is slower than the creates, delays grow with the rounds. */
const LOADED_ROUNDS = 3
/** Time at full speed before its lag is measured. */
const FULL_SPEED_MS = 60_000
/** Per request to the bare publisher: with 32 connections, 1,024 events are in flight. */
const EVENTS_PER_REQUEST = 32
const OFF = 'without events'
const ON = 'with events'
const BARE = 'bare publisher'
const CREATE = 'create, 32'

const publishRequest = (events: number): HttpRequest => ({ method: 'POST', path: `/${events}`, key: '' })

/** Milliseconds from the request or its answer to the event's arrival, for one probe after another. */
const delays = async (
  from: 'request' | 'answer',
  { port }: Server,
  request: HttpRequest,
  arrivals: Arrivals,
  goesOn: (done: number) => boolean,
): Promise<readonly number[]> => {
  const found: number[] = []
  while (goesOn(found.length)) {
    const sent = performance.now()
    const { body } = await ask(port, request)
    const begin = from === 'request' ? sent : performance.now()
    const { id } = JSON.parse(body) as { readonly id: number }
    // an event may overtake its response
    found.push(Math.max(0, (await arrivals.instantOf(id)) - begin))
  }
  return found
}

/** How long events wait after a time at full speed, and how fast they are sent once the creates have ended. */
const lagAfter = async (load: Load, milliseconds: number, arrivals: Arrivals): Promise<Row> => {
  const before = arrivals.count()
  const { requests } = await load.run(milliseconds)
  const ended = performance.now()
  const waiting = before + requests - arrivals.count()
  await arrivals.until(before + requests)
  const lagMs = performance.now() - ended
  const eventsPerSecond = rounded(waiting / (lagMs / 1_000))
  return {
    case: 'last event after a minute at full speed',
    server: ON,
    values: { eventsPerSecond, p50Ms: rounded(lagMs) },
  }
}

const delayRow = (name: string, server: string, found: readonly number[]): Row => ({
  case: name,
  server,
  values: { p50Ms: rounded(quantile(found, 0.5)), p99Ms: rounded(quantile(found, 0.99)) },
})

/** Per event, for a request that publishes several. */
const perEvent = ({ values, ...row }: Row): Row => {
  const { eventsPerSecond = Number.NaN, cpuMicros = Number.NaN } = values
  return { ...row, values: { eventsPerSecond, cpuMicros: rounded(cpuMicros / EVENTS_PER_REQUEST) } }
}

export const events: Scenario = {
  name: 'events',
  run: async ({ plan, folder, progress }) => {
    const broker = await launchBroker('jetstream { sync_interval: always }')
    try {
      return await withServers(async (start) => {
        const serve = (name: string, environment: Readonly<Record<string, string>>): Promise<Server> => {
          const settings = { STORE: 'embedded', DATA_DIR: join(folder, name), PUBLIC_URL: BASE_URL, ...environment }
          return start({ name, program: [SERVICE, 'serve'], environment: settings })
        }
        const [off, on] = [await serve(OFF, {}), await serve(ON, { EVENTS_URL: broker.url })]
        // after the service, which creates the stream
        const bare = await start({
          name: BARE,
          program: [pathOf('bench/dist/publisher.js')],
          environment: { EVENTS_URL: broker.url, PUBLIC_URL: BASE_URL },
        })
        const [offKey, onKey] = [await off.printed(/(ast_live_\w+)/), await on.printed(/(ast_live_\w+)/)]
        return withArrivals(broker.url, async (arrivals) => {
          progress('201 to consumer, at rest')
          const isProbed = (done: number): boolean => done < (plan.isSmoke ? 3 : PROBES)
          const probe = createRequest(onKey, { ...NEW_PET, name: 'probe' })
          const atRest = await delays('answer', on, probe, arrivals, isProbed)
          const bareAtRest = await delays('request', bare, publishRequest(1), arrivals, isProbed)

          progress(CREATE)
          const observe = (eventsPerRequest: number) => async () => {
            const before = arrivals.count()
            const begin = performance.now()
            return async ({ requests }: Round) => {
              const events = requests * eventsPerRequest
              await arrivals.until(before + events)
              return { eventsPerSecond: events / ((performance.now() - begin) / 1_000) }
            }
          }
          const creates = [requestBytes(createRequest(onKey))]
          const subjects = [
            { server: off, requests: [requestBytes(createRequest(offKey))], status: 201 },
            { server: on, requests: creates, status: 201, observe: observe(1) },
            {
              server: bare,
              requests: [requestBytes(publishRequest(EVENTS_PER_REQUEST))],
              status: 201,
              observe: observe(EVENTS_PER_REQUEST),
            },
          ]
          const rows = (await compare(CREATE, subjects, CONNECTIONS, plan)).map((row) =>
            row.server === BARE ? perEvent(row) : row,
          )

          progress('201 to consumer, under load')
          const load = await openLoad(on.port, creates, 201, CONNECTIONS)
          let isBusy = true
          const busy = load.run(plan.roundMs * LOADED_ROUNDS).finally(() => {
            isBusy = false
          })
          const [underLoad] = await Promise.all([delays('answer', on, probe, arrivals, () => isBusy), busy])

          progress('lag after a minute at full speed')
          const lag = await lagAfter(load, plan.isSmoke ? plan.roundMs : FULL_SPEED_MS, arrivals)
          load.close()
          return [
            ...rows,
            delayRow('request to consumer, at rest', BARE, bareAtRest),
            delayRow('201 to consumer, at rest', ON, atRest),
            delayRow('201 to consumer, under load', ON, underLoad),
            lag,
          ]
        })
      })
    } finally {
      await broker.remove()
    }
  },
  table: (measured) => {
    const peer = figureOf(measured, CREATE, OFF, 'cpuMicros')
    const rows = measured.map(({ case: name, server, values }) => [
      `${name}, ${server}`,
      ...['perSecond', 'eventsPerSecond', 'cpuMicros', 'p50Ms', 'p99Ms'].map((figure) =>
        cell(values[figure] ?? Number.NaN),
      ),
      ratio((values['cpuMicros'] ?? Number.NaN) / peer),
    ])
    return markdownTable(['', 'creates/s', 'events/s', 'CPU µs', 'p50 ms', 'p99 ms', `CPU of ${OFF}`], rows)
  },
}
