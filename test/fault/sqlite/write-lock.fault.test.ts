import { beforeEach, describe, expect, it } from 'vitest'
import { type Connection, connect, unlessBusy } from '../../../src/adapters/sqlite/file/connection.js'
import { type Call, client, type Reply } from '../../support/http/client.js'
import { issueKey, startServiceProcess } from '../../support/processes/service-process.js'
import { eventually } from '../../support/runner/eventually.js'
import { boundMs } from '../../support/runner/night.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const BODY = JSON.stringify({ name: 'Rex', categoryId: 1 })

interface TimedResponse extends Reply {
  readonly milliseconds: number
}

describe('an embedded store whose write lock another process holds', () => {
  let call: Call
  let holder: Connection
  beforeEach(async () => {
    const settings = { DATA_DIR: await temporaryPath() }
    // the first use of this key has to be recorded
    const key = await issueKey(settings)
    call = client((await startServiceProcess(settings)).url, key)
    holder = connect(`${settings.DATA_DIR}/animal-store.db`, { readOnly: false })
    // the service may be opening its own
    unlessBusy(() => holder.exec('BEGIN IMMEDIATE'), 60_000)
    return () => holder.close()
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
    holder.exec('ROLLBACK')
    // on a busy machine a write may take longer
    await eventually(async () => expect(await create()).toMatchObject({ status: 201 }))
  })
})
