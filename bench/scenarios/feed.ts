// What listeners of the feed cost, and how long an event takes to reach all of them.
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BASE_URL, createRequest, NEW_PET } from '../method/learn.js'
import { openListeners } from '../method/listeners.js'
import { SERVICE } from '../method/paths.js'
import { quantile, rounded } from '../method/quantile.js'
import { ask } from '../method/request.js'
import type { Row } from '../method/result.js'
import { type Server, withServers } from '../method/server-process.js'
import { cell, markdownTable } from '../report/markdown.js'
import type { Scenario } from './scenario.js'

const CREATES_PER_SECOND = 200
const MIB = 2 ** 20

/** Creates at a fixed rate, whatever the answers take; the name of each pet is the time at which its create began. */
const createAtRate = async ({ port }: Server, key: string, milliseconds: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const times: number[] = []
  const creates: Promise<void>[] = []
  const create = async (): Promise<void> => {
    const begin = performance.now()
    const { status, body } = await ask(port, createRequest(key, { ...NEW_PET, name: String(begin) }), agent)
    if (status !== 201) throw new Error(`wanted 201, got ${status} ${body}`)
    times.push(performance.now() - begin)
  }
  const begin = performance.now()
  for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - begin) {
    const due = Math.floor((elapsed / 1_000) * CREATES_PER_SECOND) + 1
    while (creates.length < due) creates.push(create())
    await pause(1)
  }
  await Promise.all(creates)
  const perSecond = times.length / ((performance.now() - begin) / 1_000)
  agent.destroy()
  return { count: times.length, perSecond, times }
}

export const feed: Scenario = {
  name: 'feed',
  summary:
    `The embedded store, ${CREATES_PER_SECOND} creates per second at a fixed rate, with and without 1,000 listeners of \`GET /v1/events\`, each of which ` +
    'checks that it gets every event once and in order. Delays are those of all deliveries, from the beginning of the create. The listeners run in ' +
    'one process beside the creates.',
  run: ({ plan, folder, progress }) =>
    withServers(async (start) => {
      const environment = { STORE: 'embedded', DATA_DIR: join(folder, 'data'), PUBLIC_URL: BASE_URL }
      const server = await start({ name: 'animal-store', program: [SERVICE, 'serve'], environment })
      const key = await server.printed(/(ast_live_\w+)/)
      const milliseconds = plan.roundMs * plan.rounds
      await createAtRate(server, key, plan.warmUpMs)
      const atRest = await server.usage('usage after collection')

      const measure = async (count: number): Promise<Row> => {
        progress(`${count} listeners`)
        const listeners = await openListeners(server.port, key, count)
        const before = await server.usage()
        const { count: created, perSecond, times } = await createAtRate(server, key, milliseconds)
        await listeners.complete(created)
        const after = await server.usage()
        listeners.close()
        const values = {
          perSecond,
          createP50Ms: quantile(times, 0.5),
          createP99Ms: quantile(times, 0.99),
          ...(count > 0 && { p50Ms: listeners.delay(0.5), p99Ms: listeners.delay(0.99), maxMs: listeners.delay(1) }),
          cpuMicros: (after.cpuMicros - before.cpuMicros) / created,
          addedMiB: (after.residentBytes - atRest.residentBytes) / MIB,
        }
        const figures = Object.entries(values).map(([name, value]) => [name, rounded(value)] as const)
        return { case: `${count} listeners`, server: server.name, values: Object.fromEntries(figures) }
      }
      const rows: Row[] = []
      for (const count of plan.isSmoke ? [0, 5] : [0, 1, 100, 1_000]) rows.push(await measure(count))
      return rows
    }),
  table: ({ rows }) =>
    markdownTable(
      [
        '',
        'creates/s',
        'create, p50 ms',
        'p99 ms',
        'event, p50 ms',
        'p99 ms',
        'max ms',
        'CPU µs per create',
        'MiB above rest',
      ],
      rows.map(({ case: name, values }) => [
        name,
        ...['perSecond', 'createP50Ms', 'createP99Ms', 'p50Ms', 'p99Ms', 'maxMs', 'cpuMicros', 'addedMiB'].map(
          (figure) => cell(values[figure] ?? Number.NaN),
        ),
      ]),
    ),
}
