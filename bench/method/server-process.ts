// Runs a server in its own process, on its own core, and discards its log.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Usage } from '../servers/probe.js'
import { onServerCore } from './cores.js'
import { withDeadline } from './deadline.js'
import { pathOf } from './paths.js'
import { untilReady } from './ready.js'

const START_MS = 30_000
const STOP_MS = 30_000
const ANSWER_MS = 10_000

export interface ServerSpec {
  readonly name: string
  /** Arguments for Node. */
  readonly program: readonly [string, ...string[]]
  readonly environment?: Readonly<Record<string, string>>
}

export interface Server {
  readonly name: string
  readonly port: number
  /** From the start of the process to its first 200 on /health/ready. */
  readonly startMs: number
  /** Waits for a match on stderr; resolves to its first group. */
  readonly printed: (pattern: RegExp) => Promise<string>
  readonly usage: () => Promise<Usage>
  readonly stop: () => Promise<void>
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const start = ({ program, environment }: ServerSpec, port: number): ChildProcess => {
  const node = [process.execPath, '--import', pathOf('bench/dist/probe.js'), ...program] as const
  const [command, ...args] = onServerCore([...node])
  return spawn(command, args, {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port), DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

const startServer = async (spec: ServerSpec): Promise<Server> => {
  const { name } = spec
  const port = await freePort()
  const begin = performance.now()
  const child = start(spec, port)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exit = once(child, 'exit')
  const abort = new AbortController()
  const ended = exit.then(() => {
    throw new Error(`${name} ended: ${stderr}`)
  })
  // nobody awaits this when a server is stopped on purpose
  ended.catch(() => {})

  const wait = <A>(work: Promise<A>, milliseconds: number, what: string): Promise<A> =>
    withDeadline(Promise.race([work, ended]), milliseconds, `${name}: ${what}`)

  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    try {
      await withDeadline(exit, STOP_MS, `${name}: the stop`)
    } finally {
      child.kill('SIGKILL')
    }
  }

  const printed = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(stderr)?.[1]
      if (found !== undefined) return found
      if (child.stderr !== null) await wait(once(child.stderr, 'data'), ANSWER_MS, `printing ${pattern}`)
    }
  }

  const usage: Server['usage'] = async () => {
    const answer = once(child, 'message')
    child.send('usage')
    const [found] = (await wait(answer, ANSWER_MS, 'the usage')) as [Usage]
    return found
  }

  try {
    await wait(untilReady(port, abort.signal), START_MS, 'the start')
  } catch (error) {
    abort.abort()
    child.kill('SIGKILL')
    throw error
  }
  return { name, port, startMs: performance.now() - begin, printed, usage, stop }
}

/** Stops every server that `work` started, even if `work` fails. */
export const withServers = async <A>(work: (start: typeof startServer) => Promise<A>): Promise<A> => {
  const servers: Server[] = []
  try {
    return await work(async (spec) => {
      const server = await startServer(spec)
      servers.push(server)
      return server
    })
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}
