// Probes /health/live on its own thread, so that the attacking client does not delay it. Posts the slowest at the end.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const INTERVAL_MS = 100
// a flood of 50 MB occupies one core for up to 40 s
const DEADLINE_MS = 120_000
const { port, pid } = workerData

/** Milliseconds that the service's main thread and this thread were ready to run but waited for a processor. */
const queuedMs = () =>
  [`/proc/${pid}/task/${pid}/schedstat`, '/proc/thread-self/schedstat']
    .map((path) => Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6)
    .reduce((sum, ms) => sum + ms)

const isAlive = () =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    get({ port, host: '127.0.0.1', path: '/health/live', agent: false, signal }, (response) => {
      response.on('error', () => resolve(false)).resume()
      response.on('end', () => resolve(response.statusCode === 200))
    }).on('error', () => resolve(false))
  })

/** Infinity unless the response is 200. */
const probeMs = async () => {
  const start = performance.now() - queuedMs()
  return (await isAlive()) ? performance.now() - queuedMs() - start : Number.POSITIVE_INFINITY
}

let isOver = false
parentPort.once('message', () => {
  isOver = true
})
let slowest = 0
while (!isOver) {
  slowest = Math.max(slowest, await probeMs())
  await pause(INTERVAL_MS)
}
parentPort.postMessage(slowest)
