// Creates and reads in MongoDB, compared with the naive commands: findOneAndUpdate and insertOne, findOne.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { BASE_URL, createRequest, learn } from '../method/learn.js'
import { pathOf, SERVICE } from '../method/paths.js'
import { ask, type HttpRequest, requestBytes } from '../method/request.js'
import { compare, type Subject } from '../method/rounds.js'
import type { Row } from '../method/row.js'
import { expectSameAnswer } from '../method/same-answer.js'
import { withServers } from '../method/server-process.js'
import { type Mongodb, withMongodb } from '../method/services.js'
import { versusTable } from '../report/versus.js'
import type { Scenario } from './scenario.js'

const PEER = 'naive'

/** Read in turn. There are more pets than callers, so that no two callers read the same pet. */
const PETS = 200

const issueKey = async (environment: Readonly<Record<string, string>>): Promise<string> => {
  const options = { env: { PATH: process.env['PATH'], ...environment }, timeout: 30_000 }
  const { stdout } = await promisify(execFile)(process.execPath, [SERVICE, 'keys', 'create', '--json'], options)
  return (JSON.parse(stdout) as { readonly key: string }).key
}

/** The messages that MongoDB receives in a round, except the request for their number. */
const countMessages =
  ({ messages }: Mongodb): NonNullable<Subject['observe']> =>
  async () => {
    const before = await messages()
    return async ({ requests }) => ({ commandsPerRequest: ((await messages()) - before - 1) / requests })
  }

export const mongodb: Scenario = {
  name: 'mongodb',
  run: ({ plan, progress }) =>
    withMongodb((given) =>
      withServers(async (start) => {
        const own = { STORE: 'mongodb', MONGODB_URI: given.database(), PUBLIC_URL: BASE_URL }
        const service = await start({ name: 'animal-store', program: [SERVICE, 'serve'], environment: own })
        const key = await issueKey(own)
        const environment = { ...(await learn(service, key)), MONGODB_URI: given.database() }
        const naive = await start({ name: PEER, program: [pathOf('bench/dist/naive-mongodb.js')], environment })

        const create = createRequest(key)
        const byId = Array.from(
          { length: PETS },
          (_, n): HttpRequest => ({ method: 'GET', path: `/v1/pets/${n + 1}`, key }),
        )
        const [first = create] = byId
        // the service already has its first pet
        await ask(naive.port, create)
        for (const request of [first, create]) {
          expectSameAnswer(PEER, await ask(service.port, request), await ask(naive.port, request))
        }
        for (const { port } of [naive, service]) {
          for (let n = 2; n < PETS; n += 1) await ask(port, create)
        }
        const rows: Row[] = []
        const measure = async (name: string, requests: readonly HttpRequest[], status: number): Promise<void> => {
          const bytes = requests.map(requestBytes)
          for (const connections of [1, 32, 128]) {
            progress(`${name}, ${connections} connections`)
            const observe = countMessages(given)
            const subjects = [naive, service].map((server) => ({ server, requests: bytes, status, observe }))
            rows.push(...(await compare(`${name}, ${connections}`, subjects, connections, plan)))
          }
        }
        await measure('create', [create], 201)
        await measure('by id', byId, 200)
        return rows
      }),
    ),
  table: (rows) => versusTable(rows, PEER),
}
