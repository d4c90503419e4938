// npx tsx bench/scale/processes.ts: one, two and four processes on one folder behind one port (node:cluster), under the same load.
// Nothing is pinned: the processes and the load share all cores.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BASE_URL, createRequest } from '../method/learn.js'
import { openLoad } from '../method/load.js'
import { pathOf, SERVICE } from '../method/paths.js'
import { prepare } from '../method/prepare.js'
import { quantile, rounded } from '../method/quantile.js'
import { untilReady } from '../method/ready.js'
import { type HttpRequest, requestBytes } from '../method/request.js'
import { freePort } from '../method/server-process.js'
import { cell, markdownTable } from '../report/markdown.js'

const COUNTS = [1, 2, 4]
const CONNECTIONS = 64
const ROUNDS = Number(process.env['ROUNDS'] ?? 8)
const ROUND_MS = Number(process.env['ROUND_MS'] ?? 700)
const BEST = 0.2
const TICK_MICROS = 10_000

/** The processor time of a process and its children: user and system time are fields 14 and 15, the parent field 4. */
const cpuMicros = (pid: number): number => {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          [
            Number(name),
            readFileSync(`/proc/${name}/stat`, 'utf8')
              .replace(/^.*\) /s, '')
              .split(' '),
          ] as const,
        ]
      } catch {
        return []
      }
    })
  return stats
    .filter(([id, fields]) => id === pid || Number(fields[1]) === pid)
    .reduce((sum, [, fields]) => sum + (Number(fields[11]) + Number(fields[12])) * TICK_MICROS, 0)
}

interface Cluster {
  readonly count: number
  readonly port: number
  readonly key: string
  readonly child: ChildProcess
}

const launch = async (count: number, folder: string): Promise<Cluster> => {
  const port = await freePort()
  const child = spawn(process.execPath, [pathOf('bench/dist/cluster.js'), String(count), SERVICE], {
    env: {
      PATH: process.env['PATH'],
      STORE: 'embedded',
      DATA_DIR: join(folder, String(count)),
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: BASE_URL,
      DRAIN_SECONDS: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const key = new Promise<string>((resolve) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const found = /(ast_live_\w+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  await untilReady(port, AbortSignal.timeout(30_000))
  return { count, port, key: await key, child }
}

const measure = async (
  clusters: readonly Cluster[],
  name: string,
  of: (key: string) => HttpRequest,
  status: number,
) => {
  const samples = new Map<number, { readonly perSecond: number; readonly micros: number; readonly p99: number }[]>()
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { count, port, key, child } of clusters) {
      // each round opens its connections anew, because they stay with the process that accepted them
      const load = await openLoad(port, [requestBytes(of(key))], status, CONNECTIONS)
      await load.run(200)
      const before = cpuMicros(child.pid ?? 0)
      const { requests, seconds, latenciesMs } = await load.run(ROUND_MS)
      const micros = (cpuMicros(child.pid ?? 0) - before) / requests
      load.close()
      const sample = { perSecond: requests / seconds, micros, p99: quantile(latenciesMs, 0.99) }
      if (round >= 0) samples.set(count, [...(samples.get(count) ?? []), sample])
    }
  }
  const best = (count: number, figure: 'perSecond' | 'micros' | 'p99', share: number): number =>
    rounded(quantile(samples.get(count)?.map((one) => one[figure]) ?? [], share))
  return COUNTS.map((count) => [
    `${name}, ${count}`,
    cell(best(count, 'perSecond', 1 - BEST)),
    cell(rounded(best(count, 'perSecond', 1 - BEST) / best(1, 'perSecond', 1 - BEST))),
    cell(best(count, 'micros', BEST)),
    cell(best(count, 'p99', BEST)),
  ])
}

prepare()
const folder = await mkdtemp(join(tmpdir(), 'animal-store-processes-'))
const clusters: Cluster[] = []
try {
  for (const count of COUNTS) clusters.push(await launch(count, folder))
  const rows = [
    ...(await measure(clusters, 'create', createRequest, 201)),
    ...(await measure(clusters, 'by id', (key) => ({ method: 'GET', path: '/v1/pets/1', key }), 200)),
    ...(await measure(clusters, 'list', (key) => ({ method: 'GET', path: '/v1/pets', key }), 200)),
  ]
  process.stdout.write(
    `${markdownTable(['64 connections, processes', 'requests/s', 'of one', 'CPU µs', 'p99 ms'], rows)}\n`,
  )
} finally {
  await Promise.all(
    clusters.map(async ({ child }) => {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    }),
  )
  await rm(folder, { recursive: true })
}
