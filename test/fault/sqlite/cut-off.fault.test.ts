import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { client } from '../../support/http/client.js'
import { issueKey, runCommand, startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

it('a service whose database is cut off refuses what is gone, goes on, and has all once it is whole', async () => {
  const settings = { DATA_DIR: await temporaryPath() }
  const key = await issueKey(settings)
  await runCommand(settings, 'seed', '3000')
  const service = await startServiceProcess(settings)
  const call = client(service.url, key)
  const path = join(settings.DATA_DIR, 'animal-store.db')
  const create = { body: '{"name":"Rex","categoryId":1}' }
  // its thread writes, and has read nothing but the key; then all is in the database, and nothing in the log
  expect(await call('GET', '/v1/pets/1')).toMatchObject({ status: 200 })
  await expect.poll(() => runCommand(settings, 'keys', 'list', '--json')).not.toContain('"lastUsedAt":null')
  await expect
    .poll(async () => {
      // it empties the log when it ends, if it can
      await runCommand(settings, 'keys', 'list')
      return (await stat(`${path}-wal`)).size
    })
    .toBe(0)
  const whole = await readFile(path)
  await truncate(path, whole.length >> 2)

  const unavailable = { status: 503, json: { code: 'unavailable' } }
  expect(await call('GET', '/v1/pets/2000')).toMatchObject(unavailable)
  // SQLite refuses what is left, too, once a log was moved into such a file, which takes an idle second
  const left = await call('GET', '/v1/pets/1')
  expect(left).toMatchObject(left.status === 200 ? { json: { id: 1n } } : unavailable)
  expect(await call('POST', '/v1/pets', create)).toMatchObject(unavailable)
  expect(await call('GET', '/health/live')).toMatchObject({ status: 200 })
  expect(await service.end('SIGTERM')).toBe(0)
  expect(service.stdout().match(/"message":"database disk image is malformed"/g)?.length).toBeGreaterThanOrEqual(2)
  expect(service.stdout()).not.toContain('"level":"fatal"')

  await writeFile(path, whole)
  const again = client((await startServiceProcess(settings)).url, key)
  expect(await again('GET', '/v1/pets/2000')).toMatchObject({ status: 200 })
  expect(await again('POST', '/v1/pets', create)).toMatchObject({ status: 201, json: { id: 3_001n } })
})
