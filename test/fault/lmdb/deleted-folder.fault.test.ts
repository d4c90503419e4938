import { rename, rm } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Call, client, type Reply } from '../../support/http/client.js'
import { type ServiceProcess, startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const BODY = JSON.stringify({ name: 'Rex', categoryId: 1 })

describe('a service whose data folder is deleted', () => {
  let folder: string
  let service: ServiceProcess
  let call: Call
  beforeEach(async () => {
    folder = await temporaryPath()
    service = await startServiceProcess({ DATA_DIR: folder })
    call = client(service.url, await service.find(/API key \(shown this once\): (\S+)/))
  })

  const create = (): Promise<Reply> => call('POST', '/v1/pets', { body: BODY })

  it('refuses creates, is not ready, logs it once and keeps reading', async () => {
    expect(await create()).toMatchObject({ status: 201 })
    await rm(folder, { recursive: true })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await create()).toMatchObject({ status: 503, json: { code: 'unavailable' } })
      expect(await call('GET', '/health/ready')).toMatchObject({ status: 503 })
    }
    expect(await call('GET', '/v1/pets/1')).toMatchObject({ status: 200 })
    expect(await service.end('SIGTERM')).toBe(0)
    expect(
      service.stdout().match(/"level":"error",[^\n]*the data folder is not the one that was opened/g),
    ).toHaveLength(1)
  })

  it('creates again once the folder is back', async () => {
    await rename(folder, `${folder}.moved`)
    expect(await create()).toMatchObject({ status: 503 })
    await rename(`${folder}.moved`, folder)
    expect(await create()).toMatchObject({ status: 201 })
    expect(await call('GET', '/health/ready')).toMatchObject({ status: 200 })
  })
})
