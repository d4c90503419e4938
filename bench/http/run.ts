// Requests a second of list, by id and create, beside a bare node:http server in the same run, as ratios.
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { type ServerProcess, startServer } from './server-process.js'

const CONNECTIONS = 32
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const NEW_PET = '{"name":"Rex","categoryId":7,"status":"available"}'

const OPERATIONS = {
  list: { method: 'GET', path: '/pets' },
  'by id': { method: 'GET', path: '/pets/1' },
  create: { method: 'POST', path: '/pets', body: NEW_PET },
} as const
type Operation = keyof typeof OPERATIONS

const measure = async (server: ServerProcess, operation: Operation): Promise<number> => {
  const { path, ...request } = OPERATIONS[operation]
  const result = await autocannon({
    ...request,
    url: `${server.url}${path}`,
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    connections: CONNECTIONS,
    duration: SECONDS,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${operation}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.total / result.duration
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const bare = await startServer(['--import', 'tsx', pathOf('./bare-server.ts')])
const ours = await startServer([pathOf('../../dist/cli.js'), 'serve'], { STORE: 'memory', PORT: '0' })
for (let at = 0; at < 20; at += 1) {
  await fetch(`${ours.url}/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ours.key}`, 'content-type': 'application/json' },
    body: NEW_PET,
  })
}
try {
  for (const operation of ['list', 'by id', 'create'] as const) {
    const ratios: number[] = []
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // one directly after the other, so that both meet the same machine
      const peer = await measure(bare, operation)
      const rate = await measure(ours, operation)
      ratios.push(rate / peer)
      rates.push(rate)
    }
    process.stdout.write(
      `${operation}: ${median(ratios).toFixed(2)} of bare node:http (${Math.round(median(rates))}/s)\n`,
    )
  }
} finally {
  await Promise.all([bare.stop(), ours.stop()])
}
