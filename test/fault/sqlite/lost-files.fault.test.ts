// The files of an embedded store are removed, replaced, truncated or locked while a service runs.
import { copyFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { connect, unlessBusy } from '../../../src/adapters/sqlite/file/connection.js'
import { type Call, client, type Reply } from '../../support/http/client.js'
import {
  issueKey,
  runCommand,
  type ServiceProcess,
  startServiceProcess,
} from '../../support/processes/service-process.js'
import { eventually } from '../../support/runner/eventually.js'
import { boundMs } from '../../support/runner/night.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const CREATE = { body: JSON.stringify({ name: 'Rex', categoryId: 1 }) }

describe('a service whose database is removed or replaced beneath it', () => {
  let folder: string
  let service: ServiceProcess
  let call: Call
  let key: string
  beforeEach(async () => {
    folder = await temporaryPath()
    service = await startServiceProcess({ DATA_DIR: folder })
    key = await service.find(/API key \(shown this once\): (\S+)/)
    call = client(service.url, key)
    expect(await call('POST', '/v1/pets', CREATE)).toMatchObject({ status: 201 })
  })

  const file = (end = ''): string => join(folder, `animal-store.db${end}`)
  const replaceByCopy = async (): Promise<void> => {
    await copyFile(file(), file('-copy'))
    await rename(file('-copy'), file())
  }

  it.each<readonly [string, () => Promise<unknown>, RegExp]>([
    ['folder', () => rm(folder, { recursive: true }), /animal-store\.db is missing$/],
    ['folder, moved away', () => rename(folder, `${folder}.moved`), /animal-store\.db is missing$/],
    ['database', () => rm(file()), /animal-store\.db is missing$/],
    ['log', () => rm(file('-wal')), /animal-store\.db-wal is missing$/],
    ['index of the log', () => rm(file('-shm')), /animal-store\.db-shm is missing$/],
    ['database, replaced by its copy', replaceByCopy, /animal-store\.db is another file$/],
  ])('acknowledges nothing more, and ends with 66 and a fatal line: the %s', async (_, lose, reason) => {
    await lose()
    const [response] = await Promise.allSettled([call('POST', '/v1/pets', CREATE)])
    if (response.status === 'fulfilled')
      expect(response.value).toMatchObject({ status: 503, json: { code: 'unavailable' } })
    expect(await service.exit).toBe(66)
    const fatal = service.stdout().match(/.*"level":"fatal".*/g) ?? []
    const lines = fatal.map((line) => JSON.parse(line) as unknown)
    expect(lines).toMatchObject([
      { msg: 'the embedded store cannot be used any more', reason: expect.stringMatching(reason) },
    ])
  })

  it('keeps the log at a stop, so that the copy has all once it is opened', async () => {
    await replaceByCopy()
    await service.end('SIGTERM')
    const { url } = await startServiceProcess({ DATA_DIR: folder })
    expect(await client(url, key)('GET', '/v1/pets/1')).toMatchObject({ status: 200 })
  })
})

it('a service whose database is cut off refuses what is gone, goes on, and has all once it is whole', async () => {
  const settings = { DATA_DIR: await temporaryPath() }
  const key = await issueKey(settings)
  await runCommand(settings, 'seed', '3000')
  const service = await startServiceProcess(settings)
  const call = client(service.url, key)
  const path = join(settings.DATA_DIR, 'animal-store.db')
  // after the key's use has been recorded and the log emptied, the database file holds everything
  expect(await call('GET', '/v1/pets/1')).toMatchObject({ status: 200 })
  await expect.poll(() => runCommand(settings, 'keys', 'list', '--json')).not.toContain('"lastUsedAt":null')
  await expect
    .poll(async () => {
      // a command checkpoints the log when it exits, if possible
      await runCommand(settings, 'keys', 'list')
      return (await stat(`${path}-wal`)).size
    })
    .toBe(0)
  const whole = await readFile(path)
  await truncate(path, whole.length >> 2)

  const unavailable = { status: 503, json: { code: 'unavailable' } }
  expect(await call('GET', '/v1/pets/2000')).toMatchObject(unavailable)
  // SQLite also refuses the intact part after an idle second, if it checkpointed a log into such a file
  const left = await call('GET', '/v1/pets/1')
  expect(left).toMatchObject(left.status === 200 ? { json: { id: 1n } } : unavailable)
  expect(await call('POST', '/v1/pets', CREATE)).toMatchObject(unavailable)
  expect(await call('GET', '/health/live')).toMatchObject({ status: 200 })
  expect(await service.end('SIGTERM')).toBe(0)
  expect(service.stdout().match(/"message":"database disk image is malformed"/g)?.length).toBeGreaterThanOrEqual(2)
  expect(service.stdout()).not.toContain('"level":"fatal"')

  await writeFile(path, whole)
  const again = client((await startServiceProcess(settings)).url, key)
  expect(await again('GET', '/v1/pets/2000')).toMatchObject({ status: 200 })
  expect(await again('POST', '/v1/pets', CREATE)).toMatchObject({ status: 201, json: { id: 3_001n } })
})

it('an embedded store whose write lock another process holds reads at once, refuses creates within five seconds, and creates again once the lock is free', async () => {
  const settings = { DATA_DIR: await temporaryPath() }
  // the first use of this key must be recorded
  const key = await issueKey(settings)
  const call = client((await startServiceProcess(settings)).url, key)
  const holder = connect(`${settings.DATA_DIR}/animal-store.db`, { readOnly: false })
  onTestFinished(holder.close)
  // the service may be opening its database
  unlessBusy(() => holder.exec('BEGIN IMMEDIATE'), 60_000)
  const within = async (limitMs: number, response: Promise<Reply>): Promise<Reply> => {
    const begin = performance.now()
    await response
    expect(performance.now() - begin).toBeLessThan(boundMs(limitMs))
    return response
  }
  expect(await within(1_000, call('GET', '/v1/pets'))).toMatchObject({ status: 200 })
  const refused = await Promise.all([1, 2, 3].map(() => within(5_000, call('POST', '/v1/pets', CREATE))))
  for (const one of refused) expect(one).toMatchObject({ status: 503, json: { code: 'unavailable' } })
  holder.exec('ROLLBACK')
  // a write may take longer on a busy machine
  await eventually(async () => expect(await call('POST', '/v1/pets', CREATE)).toMatchObject({ status: 201 }))
})
