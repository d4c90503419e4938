// Whether the service still responds: one probe after the other, each on a new connection.
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { queuedMs } from './process-status.js'
import type { Target } from './target.js'

const INTERVAL_MS = 100
const DEADLINE_MS = 10_000

type Probed = Pick<Target, 'port' | 'service'>

const isAlive = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    get({ port, host: '127.0.0.1', path: '/health/live', agent: false, signal }, (response) => {
      response.on('error', () => resolve(false)).resume()
      response.on('end', () => resolve(response.statusCode === 200))
    }).on('error', () => resolve(false))
  })

/**
 * Milliseconds until /health/live has responded 200; infinite without such a response. Does not include the time for which
 * the service or the client waited for a processor.
 */
const probeMs = async ({ port, service: { pid } }: Probed): Promise<number> => {
  const queued = (): number => queuedMs(pid) + queuedMs(process.pid)
  const start = performance.now() - queued()
  return (await isAlive(port)) ? performance.now() - queued() - start : Number.POSITIVE_INFINITY
}

export interface LivenessWatch {
  /** Stops probing; resolves to the milliseconds of the slowest probe. */
  readonly slowestMs: () => Promise<number>
}

export const watchLiveness = (target: Probed): LivenessWatch => {
  let isOver = false
  const watch = async (): Promise<number> => {
    let slowest = 0
    while (!isOver) {
      slowest = Math.max(slowest, await probeMs(target))
      await pause(INTERVAL_MS)
    }
    return slowest
  }
  const slowest = watch()
  return {
    slowestMs: () => {
      isOver = true
      return slowest
    },
  }
}
