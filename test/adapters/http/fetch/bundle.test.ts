// The fetch handler as a bundle: one file without packages, as functions in the cloud are deployed.
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const PROGRAM = `
import { createApiKey, SCOPES } from './src/exports/domain.ts'
import { DEFAULT_HANDLER, makeFetchHandler } from './src/exports/fetch.ts'
import { makeMemoryStore } from './src/exports/memory.ts'
import { nodeCrypto, systemClock } from './src/exports/node.ts'
import { none } from 'fp-ts/lib/Option.js'
const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
export const newKey = async () => (await createApiKey(ports)({ name: none, scopes: SCOPES, lifetimeMs: none })()).right.text
export const handle = makeFetchHandler(ports, DEFAULT_HANDLER)
`

interface Program {
  readonly newKey: () => Promise<string>
  readonly handle: (request: Request) => Promise<Response>
}

const OURS = ['^src/', '^<stdin>$', 'node_modules/fp-ts/', 'node_modules/io-ts/', 'node_modules/path-to-regexp/']

it('needs no package, reads no file, and answers', async () => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    // only a service with a rate limit loads it
    external: ['limiter'],
    metafile: true,
    write: false,
  })
  const others = Object.keys(metafile.inputs).filter((path) => !OURS.some((pattern) => new RegExp(pattern).test(path)))
  expect(others).toStrictEqual([])
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const loaded = imports.filter(({ kind }) => kind !== 'dynamic-import').map(({ path }) => path)
  expect(new Set(loaded)).toStrictEqual(new Set(['node:crypto', 'node:net']))

  const text = outputFiles[0]?.text ?? ''
  const { handle, newKey } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Program
  const headers = { Authorization: `Bearer ${await newKey()}`, 'Content-Type': 'application/json' }
  const body = '{"name":"Rex","categoryId":9223372036854775807}'
  const created = await handle(new Request('https://pets.example/v1/pets', { method: 'POST', headers, body }))
  expect([created.status, await created.text()]).toEqual([201, `{"id":1,${body.slice(1)}`])
})
