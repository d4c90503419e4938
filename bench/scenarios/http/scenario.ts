// CPU time per request, compared with node:http, Fastify and plain Koa, which all do the same work.
import { requestBytes } from '../../method/request.js'
import { compare } from '../../method/rounds.js'
import { figureOf, type Row } from '../../method/row.js'
import { cell, distinct, markdownTable, ratio } from '../../report/markdown.js'
import type { Scenario } from '../scenario.js'
import { withContest } from './servers.js'

const CONNECTIONS = 32
const SERVICE = 'animal-store'
const PEERS = ['Fastify', 'plain Koa', 'node:http']

/** One server per line, one operation per column. */
const cpuTable = (rows: readonly Row[]): string => {
  const cases = distinct(rows.map((row) => row.case))
  const cpu = (name: string, server: string): number => figureOf(rows, name, server, 'cpuMicros')
  const figures = ['node:http', 'Fastify', 'plain Koa', SERVICE].map((server) => [
    server,
    ...cases.map((name) => cell(cpu(name, server))),
  ])
  const ratios = PEERS.map((peer) => [
    `speed relative to ${peer}`,
    ...cases.map((name) => ratio(cpu(name, peer) / cpu(name, SERVICE))),
  ])
  return markdownTable(['CPU µs per request', ...cases], [...figures, ...ratios])
}

export const http: Scenario = {
  name: 'http',
  run: ({ plan, progress }) =>
    withContest(async ({ operations, serversOf }) => {
      const rows: Row[] = []
      for (const operation of operations) {
        progress(operation.name)
        const { request, others = [], status } = operation
        const requests = [request, ...others].map(requestBytes)
        const subjects = serversOf(operation).map((server) => ({ server, requests, status }))
        rows.push(...(await compare(operation.name, subjects, CONNECTIONS, plan)))
      }
      return rows
    }),
  table: cpuTable,
}
