// How long one request of a client may hold up all others: the event loop beside the most expensive requests.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { HEAVY_REQUESTS, seedLargestPage } from '../../test/hostile/heavy-requests.js'
import { client } from '../../test/support/http/client.js'
import { withDeadline } from '../method/deadline.js'
import { BASE_URL } from '../method/learn.js'
import { SERVICE } from '../method/paths.js'
import type { Plan } from '../method/plan.js'
import { rounded } from '../method/quantile.js'
import { freePort, withServers } from '../method/server-process.js'
import { cell, markdownTable } from '../report/markdown.js'
import type { Scenario } from './scenario.js'

const SHOWN = 10
const ANSWER_MS = 20_000
/** The service looks at its event loop every 10 ms. */
const SETTLE_MS = 30
const LAG = /^nodejs_eventloop_lag_max_seconds ([\d.e-]+)$/m

/** Sends the request on a connection of its own, and waits for its whole response. */
const send = async (port: number, text: string): Promise<void> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const whole = new Promise<void>((resolve, reject) => {
    let head = ''
    let left = Number.NaN
    socket.on('error', reject).on('end', resolve)
    socket.on('data', (part: Buffer) => {
      if (!Number.isNaN(left)) {
        left -= part.length
      } else {
        head += part.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end === -1) return
        left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4)
      }
      if (left <= 0) resolve()
    })
  })
  socket.write(text, 'latin1')
  await withDeadline(whole, ANSWER_MS, 'a response').finally(() => socket.destroy())
}

const roundsOf = ({ isSmoke, rounds }: Plan): number => (isSmoke ? 1 : rounds)

export const stalls: Scenario = {
  name: 'stalls',
  summary:
    `The ${SHOWN} requests of docs/security.md that hold others up longest: how late the event loop was at most ` +
    '(`nodejs_eventloop_lag_max_seconds`) while the service replied to one of them. A collection of garbage and what other processes ' +
    'take from the core are part of it, so the median of the rounds is shown, and the first, which compiles the code.',
  run: ({ plan, progress }) =>
    withServers(async (start) => {
      const metricsPort = await freePort()
      const environment = { STORE: 'memory', PUBLIC_URL: BASE_URL, METRICS_PORT: String(metricsPort) }
      const { port, printed } = await start({ name: 'animal-store', program: [SERVICE, 'serve'], environment })
      const key = await printed(/(ast_live_\w+)/)
      await seedLargestPage({ call: client(`http://127.0.0.1:${port}`, key) })

      const lagMs = async (): Promise<number> => {
        const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
        return Number(LAG.exec(metrics)?.[1] ?? Number.NaN) * 1_000
      }
      const lagOf = async (text: string): Promise<number> => {
        await lagMs()
        await send(port, text)
        await pause(SETTLE_MS)
        return lagMs()
      }
      const rows = []
      for (const { name, textOf } of HEAVY_REQUESTS) {
        progress(name)
        const text = textOf(key)
        const lags: number[] = []
        for (let round = 0; round < roundsOf(plan); round += 1) lags.push(await lagOf(text))
        const [first = Number.NaN] = lags
        const median = lags.sort((one, other) => one - other)[lags.length >> 1] ?? Number.NaN
        rows.push({
          case: name,
          server: 'animal-store',
          values: { bytes: text.length, lagMs: rounded(median), firstLagMs: rounded(first) },
        })
      }
      return rows.sort((one, other) => other.values.lagMs - one.values.lagMs)
    }),
  table: ({ rows }) =>
    markdownTable(
      ['request', 'its bytes', 'event loop late by, ms', 'at the first time, ms'],
      rows
        .slice(0, SHOWN)
        .map(({ case: name, values: { bytes = Number.NaN, lagMs = Number.NaN, firstLagMs = Number.NaN } }) => [
          name,
          cell(bytes),
          cell(lagMs),
          cell(firstLagMs),
        ]),
    ),
}
