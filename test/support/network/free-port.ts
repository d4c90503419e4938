import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems assign to port 0 and to outgoing connections, so that nothing else takes one. */
const FIRST = 20_000
const PER_WORKER = 200
const WORKERS = 50

let next = Math.floor(Math.random() * PER_WORKER)

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  const result = once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.listen(port, '127.0.0.1')
  if (!(await result)) return false
  server.close()
  await once(server, 'close')
  return true
}

/** For a server that must know its port beforehand; no other worker of this run gets the port. */
export const freePort = async (): Promise<number> => {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS
  for (let tries = 0; tries < PER_WORKER; tries += 1) {
    next = (next + 1) % PER_WORKER
    const port = FIRST + worker * PER_WORKER + next
    if (await isFree(port)) return port
  }
  throw new Error(`no free port among the ${PER_WORKER} of this worker`)
}
