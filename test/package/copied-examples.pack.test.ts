// Copies each example out of the package and follows its README, with the tarball in place of the registry.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { startListening } from '../support/network/start-listening.js'
import { INSTALL } from './entries.js'
import { makeScratch } from './scratch.js'

const names = readdirSync(join(inject('installed'), 'examples')).filter((name) => !name.includes('.'))
const FIND = 'command -v initdb || ls /usr/lib/postgresql/*/bin/initdb'

it.for(names)('runs where it was copied to, as its README says: %s', async (name, { skip, onTestFinished }) => {
  const isMissing = name === 'postgres-adapter' && spawnSync('sh', ['-c', FIND]).status !== 0
  if (process.env['CONTAINERS'] !== 'required') skip(isMissing, `not found: ${FIND}`)
  const copy = await makeScratch()
  onTestFinished(copy.remove)
  await copy.run('tar', '-xf', inject('tarball'), '--strip-components=3', `package/examples/${name}`)
  const [, command = ''] = /`npm install && ([^`]+)`/.exec(await readFile(join(copy.folder, 'README.md'), 'utf8')) ?? []
  await copy.run('npm', ...INSTALL, '--no-save', inject('tarball'))
  if (command === 'npm test') {
    expect(await copy.run('npm', 'test', '--', '--testTimeout=120000')).toMatch(/Tests .*passed/)
    return
  }
  expect(command).toMatch(/^[A-Z_]+=\S+ npm start$/)
  // it connects once all of its imports are there; test/examples has the rest
  const server = createServer((socket) => socket.destroy())
  const connected = once(server, 'connection')
  const address = `127.0.0.1:${await startListening(server)}`
  copy.start(
    { BASE_URL: `http://${address}/v1` },
    'sh',
    '-c',
    command.replace('127.0.0.1:4222', address).replace('…', 'KEY'),
  )
  await connected
})
