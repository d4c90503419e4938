// A store without its database: it opens, fails quickly, and closes.
import { describe, expect, it } from 'vitest'
import { openMongoStore } from '../../../src/adapters/mongodb/store.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { boundMs } from '../../support/runner/night.js'

// nothing listens on port 1 of loopback
const uri = 'mongodb://127.0.0.1:1/animal_store_test?directConnection=true'

describe('openMongoStore without a database', () => {
  it('returns Unavailable within seconds at first and at once later, and closes', async () => {
    const open = openMongoStore({ uri, reportDamage: () => {}, notify: () => {} })
    const store = await succeed(open)
    const begin = performance.now()
    await Promise.all([
      fail(store.ping),
      fail(store.ids.next),
      fail(store.apiKeys.list),
      fail(store.log.head),
      fail(store.relay.load),
      fail(store.log.read({ after: 0, limit: 1 })),
    ])
    const first = performance.now()
    expect(await fail(store.pets.findById(1n))).toMatchObject({ _tag: 'Unavailable' })
    await store.close()
    expect(performance.now() - first).toBeLessThan(boundMs((first - begin) / 2))
  })

  it('returns Unavailable if the URI is malformed', async () => {
    const open = openMongoStore({ uri: 'mongodb://', reportDamage: () => {}, notify: () => {} })
    expect(await fail(open)).toMatchObject({ _tag: 'Unavailable', cause: expect.any(Error) })
  })
})
