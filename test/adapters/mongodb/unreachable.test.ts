// A store without its database: it opens, fails soon, and closes.
import { describe, expect, it } from 'vitest'
import { openMongoStore } from '../../../src/adapters/mongodb/store.js'
import { fail } from '../../../src/testing/outcome.js'

// port 1 of loopback: nobody listens there
const uri = 'mongodb://127.0.0.1:1/animal_store_test?directConnection=true'

describe('openMongoStore without a database', () => {
  it('gives Unavailable: within seconds at first, at once later; and closes', async () => {
    const store = openMongoStore({ uri, isRelayed: false, reportDamage: () => {}, notify: () => {} })
    await Promise.all([fail(store.ping), fail(store.ids.next), fail(store.apiKeys.list), fail(store.outbox.backlog)])
    const begin = performance.now()
    expect(await fail(store.pets.findById(1n))).toMatchObject({ _tag: 'Unavailable' })
    expect(performance.now() - begin).toBeLessThan(500)
    await store.close()
    expect(performance.now() - begin).toBeLessThan(1_000)
  }, 10_000)

  it('throws at an address that is none', () => {
    expect(() =>
      openMongoStore({ uri: 'mongodb://', isRelayed: false, reportDamage: () => {}, notify: () => {} }),
    ).toThrow()
  })
})
