// The embedded store: creates a second beside one synced SQLite insert a request, as ratios; then a store of 100,000 pets.
// Needs Node 22.13 or later for node:sqlite: npm run build && npx -y -p node@24 node --import tsx bench/embedded/run.ts
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { type ServerProcess, startServer } from '../http/server-process.js'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const PETS = Number(process.env['BENCH_PETS'] ?? 100_000)
const NEW_PET = '{"name":"Rex","categoryId":7,"status":"available"}'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const SQLITE = fileURLToPath(new URL('./sqlite-server.ts', import.meta.url))

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN

const headersOf = ({ key }: ServerProcess) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

const creates = async (server: ServerProcess, connections: number): Promise<number> => {
  const url = `${server.url}/pets`
  const load = {
    url,
    method: 'POST',
    headers: headersOf(server),
    body: NEW_PET,
    connections,
    duration: SECONDS,
  } as const
  const result = await autocannon(load)
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.total / result.duration
}

const folder = await mkdtemp(join(tmpdir(), 'animal-store-bench-'))
const environment = (name: string) => ({
  STORE: 'embedded',
  DATA_DIR: join(folder, name),
  PORT: '0',
  LOG_LEVEL: 'info',
})

const compare = async (): Promise<void> => {
  const sqlite = await startServer(['--import', 'tsx', SQLITE, join(folder, 'sqlite.db')])
  const ours = await startServer([CLI, 'serve'], environment('compared'))
  try {
    for (const connections of [1, 32, 128]) {
      const ratios: number[] = []
      const rates: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        // one directly after the other, so that both meet the same machine
        const peer = await creates(sqlite, connections)
        const rate = await creates(ours, connections)
        ratios.push(rate / peer)
        rates.push(rate)
      }
      const [ratio, rate] = [median(ratios).toFixed(2), Math.round(median(rates))]
      print(`create, ${connections} connections: ${ratio} of a synced SQLite insert a request (${rate}/s)`)
    }
  } finally {
    await Promise.all([sqlite.stop(), ours.stop()])
  }
}

/** Megabytes that the process keeps in memory, the mapped pages of the file included. */
const residentOf = async (pid: number): Promise<string> =>
  (Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024).toFixed(0)

const fill = async (): Promise<void> => {
  const given = environment('filled')
  const begin = performance.now()
  await promisify(execFile)(process.execPath, [CLI, 'seed', String(PETS)], { env: { ...process.env, ...given } })
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1)
  const { size } = await stat(join(given.DATA_DIR, 'data.mdb'))
  print(`${PETS} pets: seeded in ${seconds} s; the file has ${(size / 1_048_576).toFixed(1)} MiB`)

  const restart = performance.now()
  const server = await startServer([CLI, 'serve'], given)
  print(
    `restarted in ${(performance.now() - restart).toFixed(0)} ms; ${await residentOf(server.pid)} MiB resident at rest`,
  )
  try {
    for (const path of ['/pets?status=sold&limit=20', `/pets/${PETS}`]) {
      const result = await autocannon({
        url: `${server.url}${path}`,
        headers: headersOf(server),
        connections: 32,
        duration: SECONDS,
      })
      print(`GET ${path}: ${Math.round(result.requests.total / result.duration)}/s`)
    }
    print(`${await residentOf(server.pid)} MiB resident afterwards`)
  } finally {
    await server.stop()
  }
}

try {
  await compare()
  await fill()
} finally {
  await rm(folder, { recursive: true })
}
