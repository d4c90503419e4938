import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Call, client, type Reply } from '../../support/http/client.js'
import { type CliProcess, startCli } from '../../support/processes/cli-process.js'
import { issueKey, startServiceProcess } from '../../support/processes/service-process.js'
import { boundMs } from '../../support/runner/night.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const HOLDER = fileURLToPath(new URL('lock-holder.ts', import.meta.url))
const BODY = JSON.stringify({ name: 'Rex', categoryId: 1 })

interface TimedResponse extends Reply {
  readonly milliseconds: number
}

describe('an embedded store whose write lock another process holds', () => {
  let call: Call
  let holder: CliProcess
  beforeEach(async () => {
    const settings = { DATA_DIR: await temporaryPath() }
    // the first use of this key has to be recorded
    const key = await issueKey(settings)
    call = client((await startServiceProcess(settings)).url, key)
    holder = startCli(['--import', 'tsx', HOLDER], {}, settings.DATA_DIR)
    await holder.find(/held/)
  })

  const timed = async (response: Promise<Reply>): Promise<TimedResponse> => {
    const begin = performance.now()
    return { ...(await response), milliseconds: performance.now() - begin }
  }
  const create = (): Promise<TimedResponse> => timed(call('POST', '/v1/pets', { body: BODY }))

  it('reads at once, refuses creates within five seconds, and creates again once the lock is free', async () => {
    const read = await timed(call('GET', '/v1/pets'))
    expect(read).toMatchObject({ status: 200 })
    expect(read.milliseconds).toBeLessThan(boundMs(1_000))
    for (const refused of await Promise.all([create(), create(), create()])) {
      expect(refused).toMatchObject({ status: 503, json: { code: 'unavailable' } })
      expect(refused.milliseconds).toBeLessThan(boundMs(5_000))
    }
    await holder.end('SIGKILL')
    expect(await create()).toMatchObject({ status: 201 })
  })
})
