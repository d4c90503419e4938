// How long a cheap read waits beside expensive creates: the creates are others', the wait is everybody's.
import { openLoad, type Round } from '../method/load.js'
import type { Plan } from '../method/plan.js'
import { quantile, rounded } from '../method/quantile.js'
import { requestBytes } from '../method/request.js'
import type { Row } from '../method/result.js'
import type { Server } from '../method/server-process.js'
import { cell, markdownTable, ratio } from '../report/markdown.js'
import type { Operation } from './http/operations.js'
import { withContest } from './http/servers.js'
import type { Scenario } from './scenario.js'

const PEER = 'Fastify'
const SERVICE = 'animal-store'
const READERS = 1
const CREATORS = 2

const withLoad = async <A>(
  { port }: Server,
  { request, status }: Operation,
  connections: number,
  work: (run: (milliseconds: number) => Promise<Round>) => Promise<A>,
): Promise<A> => {
  const load = await openLoad(port, [requestBytes(request)], status, connections)
  try {
    return await work(load.run)
  } finally {
    load.close()
  }
}

/** The rounds of all servers in turn; of each figure the 20th percentile. */
const measure = async (servers: readonly Server[], read: Operation, create: Operation, plan: Plan): Promise<Row[]> => {
  const samples = servers.map(
    (): { readonly p50Ms: number; readonly p99Ms: number; readonly perSecond: number }[] => [],
  )
  const round = async (server: Server, milliseconds: number) =>
    withLoad(server, read, READERS, (reads) =>
      withLoad(server, create, CREATORS, async (creates) => {
        const [{ latenciesMs }, { requests, seconds }] = await Promise.all([reads(milliseconds), creates(milliseconds)])
        const at = (share: number): number => quantile(latenciesMs, share)
        return { p50Ms: at(0.5), p99Ms: at(0.99), perSecond: requests / seconds }
      }),
    )
  for (const server of servers) await round(server, plan.warmUpMs)
  for (let n = 0; n < plan.rounds; n += 1)
    for (const [at, server] of servers.entries()) samples[at]?.push(await round(server, plan.roundMs))
  return servers.map(({ name }, at) => {
    const best = (figure: 'p50Ms' | 'p99Ms' | 'perSecond', share: number): number =>
      rounded(
        quantile(
          (samples[at] ?? []).map((sample) => sample[figure]),
          share,
        ),
      )
    return {
      case: read.name,
      server: name,
      values: { p50Ms: best('p50Ms', 0.2), p99Ms: best('p99Ms', 0.2), perSecond: best('perSecond', 0.8) },
    }
  })
}

export const fairness: Scenario = {
  name: 'fairness',
  summary:
    `Reads by id over ${READERS} connection beside ${CREATORS} connections that create pets with 10,000 elements nobody asked for, ` +
    'each as fast as it gets responses.',
  run: ({ plan, progress }) =>
    withContest(async ({ operations, serversOf }) => {
      const [read, create] = ['by id', 'create with 10,000 elements'].map((name) =>
        operations.find((operation) => operation.name === name),
      )
      if (read === undefined || create === undefined) throw new Error('the operations have other names')
      const servers = serversOf(create).filter(({ name }) => [PEER, SERVICE].includes(name))
      progress('reads beside creates')
      return measure(servers, read, create, plan)
    }),
  table: ({ rows }) => {
    const peer = rows.find(({ server }) => server === PEER)?.values['p99Ms'] ?? Number.NaN
    return markdownTable(
      ['', 'read, p50 ms', 'p99 ms', `p99 of ${PEER}`, 'creates/s'],
      rows.map(({ server, values: { p50Ms = Number.NaN, p99Ms = Number.NaN, perSecond = Number.NaN } }) => [
        server,
        cell(p50Ms),
        cell(p99Ms),
        ratio(p99Ms / peer),
        cell(perSecond),
      ]),
    )
  },
}
