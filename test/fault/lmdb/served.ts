// The service in a process of its own on an embedded store, as an operator runs it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))

export interface Answer {
  readonly status: number
  readonly body: string
  readonly milliseconds: number
}

export interface ServedProcess {
  readonly create: (name: string) => Promise<Answer>
  readonly get: (path: string) => Promise<Answer>
  /** By SIGTERM; resolves once it has ended. */
  readonly stop: () => Promise<void>
}

/** Starts it on an empty folder and takes the key that the first start prints. */
export const serve = async (directory: string): Promise<ServedProcess> => {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, 'serve'], {
    env: { ...process.env, STORE: 'embedded', DATA_DIR: directory, PORT: '0', EVENTS_URL: '', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const find = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(printed)?.[0]
      if (found !== undefined) return found
      if (child.exitCode !== null) throw new Error(`the service has ended: ${printed}`)
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended])
    }
  }
  const url = await find(/http:\/\/127\.0\.0\.1:\d+\/v1(?=")/)
  const key = await find(/ast_live_\w+(?=\n)/)

  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const begin = performance.now()
    const response = await fetch(new URL(path, url), init)
    return { status: response.status, body: await response.text(), milliseconds: performance.now() - begin }
  }
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return {
    create: (name) =>
      call('/v1/pets', { method: 'POST', headers, body: JSON.stringify({ name, categoryId: 1, status: 'sold' }) }),
    get: (path) => call(path, { headers }),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
