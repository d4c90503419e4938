// CPU time per request beside node:http, Fastify and plain Koa, all of which do the same work.
import { requestBytes } from '../../method/request.js'
import { compare } from '../../method/rounds.js'
import type { Row } from '../../method/row.js'
import type { Scenario } from '../scenario.js'
import { withContest } from './servers.js'
import { cpuTable } from './table.js'

const CONNECTIONS = 32

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
