// Measures what requests cost in relation to their bytes, and prints the table of docs/security.md: `npx tsx test/hostile/worst-requests.ts`.
import { setTimeout as pause } from 'node:timers/promises'
import { closedLoop } from './closed-loop.js'
import { HEAVY_REQUESTS, type HeavyRequest, seedLargestPage } from './heavy-requests.js'
import { cpuTicks, peakMiB, resetPeak, residentMiB } from './process-status.js'
import { launchTarget, type Target } from './target.js'

const CONNECTIONS = 50
const ROUND_MS = 2_000
/** The kernel counts CPU time in hundredths of a second. */
const TICK_MS = 10
const KIB = 1_024

const cpuMs = (pid: number): number => cpuTicks(pid) * TICK_MS

interface Cost {
  readonly name: string
  readonly bytes: number
  /** Nanoseconds of CPU per byte sent. */
  readonly cpu: number
  /** Bytes of memory per byte sent, while no response is read. */
  readonly memory: number
}

/** Sends one request after the other, each once the one before is answered; returns the number of responses. */
const sendForAWhile = async (target: Target, text: string): Promise<number> => {
  const until = performance.now() + ROUND_MS
  const send = async (): Promise<number> => {
    let count = 0
    // a response may be the last of its connection
    while (performance.now() < until) {
      const socket = (await target.open()).setMaxListeners(0)
      socket.once('end', () => socket.destroy())
      count += (await closedLoop([socket], until - performance.now(), () => text)).timesMs.length
      socket.destroy()
    }
    return count
  }
  const counts = await Promise.all(Array.from({ length: 4 }, send))
  return counts.reduce((sum, count) => sum + count, 0)
}

const measure = async ({ name, textOf }: HeavyRequest): Promise<Cost> => {
  const target = await launchTarget({ BODY_LIMIT_BYTES: '1048576' })
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
for (const request of HEAVY_REQUESTS) costs.push(await measure(request))
process.stdout.write(`By CPU:\n\n${HEAD}\n${rows(costs, 'cpu')}\n\nBy memory:\n\n${HEAD}\n${rows(costs, 'memory')}\n`)
