// Whether the service still answers strangers: one probe after another, each on a connection of its own.
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const INTERVAL_MS = 100
const DEADLINE_MS = 5_000

/** Milliseconds until /health/live has answered 200 on a new connection; infinite after 5 s or without a good answer. */
const probeMs = (port: number): Promise<number> =>
  new Promise((resolve) => {
    const start = performance.now()
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const fail = (): void => resolve(Number.POSITIVE_INFINITY)
    get({ port, host: '127.0.0.1', path: '/health/live', agent: false, signal }, (response) => {
      response.on('error', fail).resume()
      response.on('end', () => (response.statusCode === 200 ? resolve(performance.now() - start) : fail()))
    }).on('error', fail)
  })

export interface LivenessWatch {
  /** Ends the watch; milliseconds of the slowest probe. */
  readonly slowestMs: () => Promise<number>
}

export const watchLiveness = (port: number): LivenessWatch => {
  let isOver = false
  const watch = async (): Promise<number> => {
    let slowest = 0
    while (!isOver) {
      slowest = Math.max(slowest, await probeMs(port))
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
