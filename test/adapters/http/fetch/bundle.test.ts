// The fetch handler bundled for browsers and workers: one script without packages, in a context without Node's globals.
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { nodeCrypto } from '../../../../src/adapters/node/system.js'
import type { Crypto } from '../../../../src/ports/crypto.js'

const PROGRAM = `
import { createApiKey, makeMemoryStore, SCOPES } from './src/exports/domain.ts'
import { DEFAULT_HANDLER, makeFetchHandler } from './src/exports/fetch.ts'
import { none } from 'fp-ts/lib/Option.js'
const clock = { now: () => Date.now(), monotonicMs: () => performance.now() }
export const start = async (crypto) => {
  const ports = { ...makeMemoryStore(), clock, crypto }
  const key = (await createApiKey(ports)({ name: none, scopes: SCOPES, lifetimeMs: none })()).right.text
  const rateLimit = { perSecond: 1, burst: 2 }
  return { key, handle: makeFetchHandler(ports, { ...DEFAULT_HANDLER, rateLimit, trustedProxies: 1 }) }
}
`

interface Program {
  readonly start: (crypto: Crypto) => Promise<{
    readonly key: string
    readonly handle: (request: Request) => Promise<Response>
  }>
}

const WEB_GLOBALS = {
  ...{ AbortController, AbortSignal, console, crypto, Headers, performance, ReadableStream, Request, Response },
  ...{ setTimeout, clearTimeout, setInterval, clearInterval, TextDecoder, TextEncoder, URL, URLSearchParams },
}

const OURS = ['^src/', '^<stdin>$', 'node_modules/fp-ts/', 'node_modules/io-ts/', 'node_modules/path-to-regexp/']

it('needs nothing of Node, no file and no package but the limiter of a rate limit', async () => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'program',
    minify: true,
    metafile: true,
    write: false,
  })
  const others = Object.keys(metafile.inputs).filter((path) => !OURS.some((pattern) => new RegExp(pattern).test(path)))
  expect(others.filter((path) => !path.startsWith('node_modules/limiter/'))).toStrictEqual([])
  expect(Object.values(metafile.outputs).flatMap((output) => output.imports)).toStrictEqual([])

  const context = createContext({ ...WEB_GLOBALS })
  const program = runInContext(`${outputFiles[0]?.text};program`, context) as Program
  const { handle, key } = await program.start(nodeCrypto)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'X-Forwarded-For': '::1' }
  const call = async (path: string, init?: RequestInit): Promise<Response> =>
    handle(new Request(`https://pets.example/v1${path}`, { ...init, headers }))
  const body = '{"name":"Rex","categoryId":9223372036854775807}'
  const created = await call('/pets', { method: 'POST', body })
  expect([created.status, await created.text()]).toEqual([201, `{"id":1,${body.slice(1)}`])
  const page = await call('/pets?limit=1')
  expect([await page.text(), page.headers.has('ETag')]).toEqual([`[{"id":1,${body.slice(1)}]`, true])
  expect(page.headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/)
  expect((await call('/pets')).status).toBe(429)
})
