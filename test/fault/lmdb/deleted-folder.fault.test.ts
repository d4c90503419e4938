import { rename, rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Folder, makeFolder } from '../../adapters/lmdb/folder.js'
import { type Answer, type Call, client } from '../../support/http/client.js'
import { BUILT, type CliProcess, startCli } from '../../support/processes/cli-process.js'

const BODY = JSON.stringify({ name: 'Rex', categoryId: 1 })

describe('a service whose data folder is deleted', () => {
  let folder: Folder
  let service: CliProcess
  let call: Call
  beforeEach(async () => {
    folder = await makeFolder()
    service = startCli(BUILT, { PORT: '0', DATA_DIR: folder.path }, 'serve')
    const url = await service.find(/"url":"(http:[^"]+)"[^\n]*"msg":"listening"/)
    call = client(url, await service.find(/API key \(shown this once\): (\S+)/))
  })
  afterEach(async () => {
    await service.end('SIGTERM')
    await folder.remove()
  })

  const create = (): Promise<Answer> => call('POST', '/v1/pets', { body: BODY })

  it('refuses creates, is not ready, logs it once and keeps reading', async () => {
    expect(await create()).toMatchObject({ status: 201 })
    await rm(folder.path, { recursive: true })
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
    await rename(folder.path, `${folder.path}.moved`)
    expect(await create()).toMatchObject({ status: 503 })
    await rename(`${folder.path}.moved`, folder.path)
    expect(await create()).toMatchObject({ status: 201 })
    expect(await call('GET', '/health/ready')).toMatchObject({ status: 200 })
  })
})
