// The package in a test of Jest, whose `Error` is not that of Node's own modules.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { scratchIn } from './scratch.js'

const JEST = 'jest@30.5.2'

/** An error of Node's server is told from others by its code. */
const TEST = `import { once } from 'node:events'
import { createServer } from 'node:http'
import { makeMemoryStore } from 'animal-store'
import { DEFAULT_SERVICE, silentLog, startService } from 'animal-store/http'

test('names the setting whose port is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  const started = await startService({ ...DEFAULT_SERVICE, port }, { store: makeMemoryStore(), log: silentLog })()
  server.close()
  expect(started.left.cause.message).toMatch(/^PORT: cannot listen on \\S+: listen EADDRINUSE/)
})
`

it('works in a test of Jest that is an ES module', async () => {
  const folder = join(inject('installed'), 'jest')
  await mkdir(folder)
  const scratch = scratchIn(folder)
  await scratch.write(
    'package.json',
    '{ "private": true, "jest": { "testMatch": ["**/*.test.mjs"], "transform": {} } }',
  )
  await scratch.write('port.test.mjs', TEST)
  const options = ['--node-options=--experimental-vm-modules', '--yes', '-p', JEST]
  const result = await scratch.run('npx', ...options, 'jest', '--json')
  expect(JSON.parse(result)).toMatchObject({ numPassedTests: 1, numFailedTests: 0 })
})
