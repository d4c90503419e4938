import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Folder, makeFolder } from '../../adapters/lmdb/folder.js'
import { type Answer, type Call, client } from '../../support/http/client.js'
import { issueKey, type ServiceProcess, startServiceProcess } from '../../support/processes/service-process.js'

const HOLDER = fileURLToPath(new URL('lock-holder.ts', import.meta.url))
const BODY = JSON.stringify({ name: 'Rex', categoryId: 1 })

interface TimedAnswer extends Answer {
  readonly milliseconds: number
}

describe('an embedded store whose write lock another process holds', () => {
  let folder: Folder
  let service: ServiceProcess
  let call: Call
  let holder: ChildProcess
  beforeEach(async () => {
    folder = await makeFolder()
    const settings = { DATA_DIR: folder.path }
    // the first use of this key has to be recorded
    const key = await issueKey(settings)
    service = await startServiceProcess(settings)
    call = client(service.url, key)
    holder = spawn(process.execPath, ['--import', 'tsx', HOLDER, folder.path], { stdio: ['ignore', 'pipe', 'inherit'] })
    if (holder.stdout !== null) await once(holder.stdout, 'data')
  })
  afterEach(async () => {
    holder.kill('SIGKILL')
    await service.end('SIGTERM')
    await folder.remove()
  })

  const timed = async (answer: Promise<Answer>): Promise<TimedAnswer> => {
    const begin = performance.now()
    return { ...(await answer), milliseconds: performance.now() - begin }
  }
  const create = (): Promise<TimedAnswer> => timed(call('POST', '/v1/pets', { body: BODY }))

  it('reads at once, refuses creates within five seconds, and creates again once the lock is free', async () => {
    const read = await timed(call('GET', '/v1/pets'))
    expect(read).toMatchObject({ status: 200 })
    expect(read.milliseconds).toBeLessThan(1_000)
    for (const refused of await Promise.all([create(), create(), create()])) {
      expect(refused).toMatchObject({ status: 503, json: { code: 'unavailable' } })
      expect(refused.milliseconds).toBeLessThan(5_000)
    }
    holder.kill('SIGKILL')
    await once(holder, 'close')
    expect(await create()).toMatchObject({ status: 201 })
  })
})
