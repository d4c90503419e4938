// CPU time per request beside node:http, Fastify and plain Koa, all of which do the same work.
import { requestBytes } from '../../method/request.js'
import type { Row } from '../../method/result.js'
import { compare } from '../../method/rounds.js'
import type { Scenario } from '../scenario.js'
import { withContest } from './servers.js'
import { cpuTable } from './table.js'

const CONNECTIONS = 32

export const http: Scenario = {
  name: 'http',
  summary:
    'Microseconds of CPU per request: memory store, 1,000 pets, 32 connections. Fastify and plain Koa do the same work: they hash ' +
    'and compare the key, tag the answer, send the same headers, and write one log line. node:http sends constant bytes under the ' +
    'same headers: it is the limit.',
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
