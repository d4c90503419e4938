// A connection that nginx opens just before an instance closes its port is reset, with the create on it: a busy machine makes that instant
// long, so this needs an idle one.
import { expect, it } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { describeWith } from '../support/containers/describe-with.js'
import { runService } from '../support/http/running-service.js'
import { callThrough, PET, startNginx } from './nginx-process.js'

describeWith('nginx', 'the service behind nginx', (program) => {
  it('loses no create while an instance stops', async () => {
    // the instances share it
    const store = { ...makeMemoryStore(), close: async () => undefined }
    const instances = [await runService({ drainMs: 100 }, { store }), await runService({ drainMs: 100 }, { store })]
    const nginx = await startNginx(
      program,
      instances.map(({ url }) => Number(new URL(url).port)),
    )
    const headers = { ...instances[0]?.authorization, 'Content-Type': 'application/json' }
    const create = () => callThrough(nginx, { method: 'POST', headers, body: PET })
    let isStopped = false
    const stopped = instances[0]?.stop().then(() => {
      isStopped = true
    })
    const statuses: (number | undefined)[] = []
    // some arrive while it drains, and some after it is gone
    for (let after = 0; after < 5; after += isStopped ? 1 : 0) statuses.push((await create()).status)
    await stopped
    expect(new Set(statuses)).toEqual(new Set([201]))
  })
})
