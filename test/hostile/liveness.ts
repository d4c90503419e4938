// Whether the service still responds: one probe after the other, each on a new connection.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Target } from './target.js'

export interface LivenessWatch {
  /**
   * Stops probing; resolves to the milliseconds of the slowest probe: until /health/live has responded 200, without the time for which the
   * service or the probe waited for a processor. Infinite without such a response.
   */
  readonly slowestMs: () => Promise<number>
}

export const watchLiveness = ({ port, service: { pid } }: Pick<Target, 'port' | 'service'>): LivenessWatch => {
  const worker = new Worker(new URL('liveness-probe.mjs', import.meta.url), { workerData: { port, pid } })
  const slowest = once(worker, 'message') as Promise<[number]>
  return {
    slowestMs: async () => {
      worker.postMessage('end')
      return (await slowest)[0]
    },
  }
}
