// Measures what requests cost in relation to their bytes, and prints the table of docs/security.md: `npx tsx test/hostile/worst-requests.ts`.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { authorization, get, post } from '../support/http/raw-requests.js'
import { inOneByteChunks, seedLargestPage } from './heavy-requests.js'
import { peakMiB, resetPeak, residentMiB } from './process-status.js'
import { launchTarget, type Target } from './target.js'

const CONNECTIONS = 50
const ROUND_MS = 2_000
/** The kernel counts CPU time in hundredths of a second. */
const TICK_MS = 10
const KIB = 1_024

interface Candidate {
  readonly name: string
  readonly textOf: (key: string) => string
}

const LIMIT = 1_048_576

const filled = (before: string, unit: string, after: string): string =>
  before + unit.repeat(Math.floor((LIMIT - before.length - after.length) / unit.length)) + after

const CANDIDATES: readonly Candidate[] = [
  { name: 'no key: `GET /` in 27 bytes', textOf: () => get('/') },
  { name: 'no key: `GET /docs/swagger-ui-bundle.js`', textOf: () => get('/docs/swagger-ui-bundle.js') },
  { name: 'no key: `GET /openapi.json`', textOf: () => get('/openapi.json') },
  { name: 'no key: `GET /v1/pets`', textOf: () => get('/v1/pets') },
  { name: 'no key: a key that nobody has', textOf: (key) => get('/v1/pets', authorization(`${key.slice(0, -1)}-`)) },
  { name: 'no key: 90 short headers', textOf: () => get('/', 'a: b\r\n'.repeat(90)) },
  {
    name: 'no key: a create in chunks of one byte',
    textOf: () => inOneByteChunks('x', 10_000),
  },
  { name: 'key: 100 pets with the longest names', textOf: (key) => get('/v1/pets?limit=100', authorization(key)) },
  {
    name: 'key: 100 pets, counted',
    textOf: (key) => get('/v1/pets?limit=100', `${authorization(key)}Prefer: count=exact\r\n`),
  },
  { name: 'key: the smallest create', textOf: (key) => post(key) },
  {
    name: 'key: a create in chunks of one byte',
    textOf: (key) => inOneByteChunks(key, 2_000),
  },
  {
    name: 'key: a create of 1 MiB of escaped names',
    textOf: (key) => post(key, filled('{"name":""', ',"\\u006d":1', '}')),
  },
  { name: 'key: a create of 100 kB of empty arrays', textOf: (key) => post(key, `[${'[],'.repeat(33_000)}1]`) },
]

const cpuMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

interface Cost {
  readonly name: string
  readonly bytes: number
  /** Nanoseconds of CPU per byte sent. */
  readonly cpu: number
  /** Bytes of memory per byte sent, while no response is read. */
  readonly memory: number
}

/** Sends one request after the other, each once the one before is answered; returns the number of requests. */
const sendForAWhile = async (target: Target, text: string): Promise<number> => {
  const until = performance.now() + ROUND_MS
  const send = async (): Promise<number> => {
    let count = 0
    while (performance.now() < until) {
      const socket = (await target.open()).setMaxListeners(0)
      // a response may be the last of its connection
      for (let isOpen = true; isOpen && performance.now() < until; ) {
        socket.write(text, 'latin1')
        count += 1
        isOpen = await new Promise<boolean>((resolve) => {
          let size = 0
          let length = Number.POSITIVE_INFINITY
          socket.removeAllListeners('data').on('data', (chunk) => {
            const part = String(chunk)
            if (size === 0)
              length = part.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(part)?.[1] ?? 0)
            size += part.length
            if (size >= length) resolve(!part.includes('Connection: close'))
          })
          socket.once('end', () => resolve(false)).once('close', () => resolve(false))
        })
      }
      socket.destroy()
    }
    return count
  }
  const counts = await Promise.all(Array.from({ length: 4 }, send))
  return counts.reduce((sum, count) => sum + count, 0)
}

const measure = async ({ name, textOf }: Candidate): Promise<Cost> => {
  const target = await launchTarget({})
  try {
    const { pid } = target.service
    await seedLargestPage(target)
    const text = textOf(target.key)
    await sendForAWhile(target, text)
    const before = cpuMs(pid)
    const count = await sendForAWhile(target, text)
    const cpu = ((cpuMs(pid) - before) * 1e6) / (count * text.length)
    await pause(500)
    const rest = residentMiB(pid)
    resetPeak(pid)
    // as much as the buffers take, of requests whose responses nobody reads
    const ahead = text.repeat(Math.ceil((64 * KIB) / text.length))
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, target.open))
    for (const socket of sockets) socket.pause().write(ahead, 'latin1')
    await pause(ROUND_MS)
    const memory = ((peakMiB(pid) - rest) * KIB * KIB) / (CONNECTIONS * ahead.length)
    return { name, bytes: text.length, cpu, memory }
  } finally {
    await target.remove()
  }
}

const rows = (costs: readonly Cost[], by: 'cpu' | 'memory'): string =>
  [...costs]
    .sort((one, other) => other[by] - one[by])
    .slice(0, 5)
    .map(({ name, bytes, cpu, memory }) => `| ${name} | ${bytes} | ${cpu.toFixed(0)} | ${memory.toFixed(1)} |`)
    .join('\n')

const HEAD = '| request | its bytes | CPU, ns per byte | memory, bytes per byte |\n| --- | ---: | ---: | ---: |'

const costs: Cost[] = []
for (const candidate of CANDIDATES) costs.push(await measure(candidate))
process.stdout.write(`By CPU:\n\n${HEAD}\n${rows(costs, 'cpu')}\n\nBy memory:\n\n${HEAD}\n${rows(costs, 'memory')}\n`)
