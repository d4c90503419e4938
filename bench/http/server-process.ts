// A server of the comparison in a process of its own, so that the load does not share its event loop.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface ServerProcess {
  readonly url: string
  /** The key of a store that lives in memory, from stderr; empty where there is none. */
  readonly key: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

const firstMatch = (child: ChildProcess, stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it said ${pattern}`)))
    const source = child[stream]
    if (source === null) return
    const lines = createInterface({ input: source })
    lines.on('line', (line) => {
      const found = pattern.exec(line)?.[1]
      if (found === undefined) return
      resolve(found)
      // from here on the load is measured: what it logs is thrown away unread
      lines.close()
      source.resume()
    })
  })

/** Starts `node` with these arguments and waits until it listens. */
export const startServer = async (
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> => {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const hasKey = /^(?:memory|embedded)$/.test(environment['STORE'] ?? '')
  const [url, key] = await Promise.all([
    firstMatch(child, 'stdout', /"url":"([^"]+)"/),
    hasKey ? firstMatch(child, 'stderr', /(ast_live_\w+)$/) : '',
  ])
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      child.removeAllListeners('exit')
      child.once('exit', () => resolve())
      child.kill('SIGTERM')
    })
  return { url, key, pid: child.pid ?? Number.NaN, stop }
}
