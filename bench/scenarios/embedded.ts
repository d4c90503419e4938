// Durable creates, compared with one synced SQLite insert per request.
import { join } from 'node:path'
import { BASE_URL, createRequest, learn } from '../method/learn.js'
import { pathOf, SERVICE } from '../method/paths.js'
import { ask, requestBytes } from '../method/request.js'
import { compare } from '../method/rounds.js'
import type { Row } from '../method/row.js'
import { expectSameAnswer } from '../method/same-answer.js'
import { withServers } from '../method/server-process.js'
import { versusTable } from '../report/versus.js'
import type { Scenario } from './scenario.js'

const PEER = 'SQLite'

export const embedded: Scenario = {
  name: 'embedded',
  run: ({ plan, folder, progress }) =>
    withServers(async (start) => {
      const data = { STORE: 'embedded', DATA_DIR: join(folder, 'data'), PUBLIC_URL: BASE_URL }
      const service = await start({ name: 'animal-store', program: [SERVICE, 'serve'], environment: data })
      const key = await service.printed(/(ast_live_\w+)/)
      const environment = { ...(await learn(service, key)), SQLITE_FILE: join(folder, 'sqlite.db') }
      const sqlite = await start({ name: PEER, program: [pathOf('bench/dist/sqlite.js')], environment })

      const request = createRequest(key)
      // the service already has its first pet
      await ask(sqlite.port, request)
      const expected = await ask(service.port, request)
      expectSameAnswer(PEER, expected, await ask(sqlite.port, request))

      const subjects = [sqlite, service].map((server) => ({ server, requests: [requestBytes(request)], status: 201 }))
      const rows: Row[] = []
      for (const connections of [1, 32, 128]) {
        progress(`create, ${connections} connections`)
        rows.push(...(await compare(`create, ${connections}`, subjects, connections, plan)))
      }
      return rows
    }),
  table: (rows) => versusTable(rows, PEER),
}
