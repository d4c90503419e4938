// The cost of more stored pets, and of more connections.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createRequest } from '../../method/learn.js'
import { SERVICE } from '../../method/paths.js'
import type { Plan } from '../../method/plan.js'
import { rounded } from '../../method/quantile.js'
import { requestBytes } from '../../method/request.js'
import type { Row } from '../../method/result.js'
import { compare } from '../../method/rounds.js'
import { withServers } from '../../method/server-process.js'
import type { Scenario } from '../scenario.js'
import { type Filled, fill, reads } from './fill.js'
import { growthTable } from './table.js'

const STORES = ['memory', 'embedded'] as const
const CONNECTIONS = 32

const sizesOf = ({ isSmoke, isBig }: Plan): readonly number[] =>
  isSmoke ? [100, 1_000] : isBig ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000]

const connectionsOf = ({ isSmoke }: Plan): readonly number[] => (isSmoke ? [1, 512] : [1, 8, 32, 128, 512])

const label = (size: number): string => `${size.toLocaleString('en')} pets`

const spaceOf = async ({ server, newestId: pets }: Filled, dataDir: string): Promise<Row['values']> => {
  const { heapBytes, residentBytes } = await server.usage('usage after collection')
  const disk = await stat(join(dataDir, 'data.mdb')).catch(() => undefined)
  return {
    pets,
    heapBytes,
    heapMiB: rounded(heapBytes / 2 ** 20),
    residentMiB: rounded(residentBytes / 2 ** 20),
    ...(disk && { diskMiB: rounded(disk.size / 2 ** 20), diskBytesPerPet: rounded(disk.size / pets) }),
  }
}

export const growth: Scenario = {
  name: 'growth',
  summary:
    'Reads from stores of different sizes at 32 connections, the space that the pets take, and creates and reads by id over more and more ' +
    'connections. A deep page begins in the middle of all pets. The memory store keeps pets in the heap; the embedded store maps its file.',
  run: async ({ plan, folder, progress }) => {
    const rows: Row[] = []
    for (const store of STORES) {
      await withServers(async (start) => {
        const all: Filled[] = []
        for (const size of sizesOf(plan)) {
          progress(`${store}: ${label(size)}`)
          const dataDir = join(folder, `${store}-${size}`)
          const environment = { STORE: store, DATA_DIR: dataDir }
          const server = await start({ name: label(size), program: [SERVICE, 'serve'], environment })
          const filled = await fill(server, await server.printed(/(ast_live_\w+)/), size)
          rows.push({ case: `${store}: space`, server: label(size), values: await spaceOf(filled, dataDir) })
          all.push(filled)
        }
        const requests = await Promise.all(all.map(reads))
        for (const name of Object.keys(requests[0] ?? {})) {
          progress(`${store}: ${name}`)
          const subjects = all.map(({ server }, at) => {
            const request = requests[at]?.[name]
            return { server, requests: request === undefined ? [] : [requestBytes(request)], status: 200 }
          })
          rows.push(...(await compare(`${store}: ${name}`, subjects, CONNECTIONS, plan)))
        }
        const [smallest] = all
        if (smallest === undefined) return
        const { server, key } = smallest
        const byId = requestBytes({ method: 'GET', path: '/v1/pets/1', key })
        for (const connections of connectionsOf(plan)) {
          progress(`${store}: ${connections} connections`)
          const name = `${store}: ${connections} connections`
          rows.push(
            ...(await compare(`${name}, by id`, [{ server, requests: [byId], status: 200 }], connections, plan)),
          )
          const create = requestBytes(createRequest(key))
          rows.push(
            ...(await compare(`${name}, create`, [{ server, requests: [create], status: 201 }], connections, plan)),
          )
        }
      })
    }
    return rows
  },
  table: growthTable,
}
