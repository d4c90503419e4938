import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Call, client } from '../../support/http/client.js'
import { type ServiceProcess, startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const BODY = JSON.stringify({ name: 'Rex', categoryId: 1 })

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
    expect(await call('POST', '/v1/pets', { body: BODY })).toMatchObject({ status: 201 })
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
  ])('acknowledges nothing more, and ends with 1 and a fatal line: the %s', async (_, lose, reason) => {
    await lose()
    const [response] = await Promise.allSettled([call('POST', '/v1/pets', { body: BODY })])
    if (response.status === 'fulfilled')
      expect(response.value).toMatchObject({ status: 503, json: { code: 'unavailable' } })
    expect(await service.exit).toBe(1)
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
