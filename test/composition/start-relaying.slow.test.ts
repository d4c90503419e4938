import { expect, it } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { endOf } from '../../src/composition/start-relaying.js'
import { boundMs } from '../support/runner/night.js'

it('a start waits about a second for a store that does not respond, and goes on without it', async () => {
  const { log } = makeMemoryStore()
  const begin = performance.now()
  expect(await endOf({ log: { ...log, head: () => new Promise(() => {}) } })).toBeUndefined()
  expect(performance.now() - begin).toBeLessThan(boundMs(5_000))
})
