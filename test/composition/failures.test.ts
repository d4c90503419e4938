// A defect in somebody's own store is reported somewhere, even by a service that has no observer and no log.
import * as O from 'fp-ts/lib/Option.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../src/adapters/node/system.js'
import { makeFetchHandler } from '../../src/composition/make-fetch-handler.js'
import { DEFAULT_SERVICE } from '../../src/composition/make-listener.js'
import { startService } from '../../src/composition/start-service.js'
import { DEFAULT_HANDLER } from '../../src/composition/use-cases.js'
import { SCOPES } from '../../src/domain/api-keys/api-key.js'
import { createApiKey } from '../../src/domain/api-keys/create-api-key.js'
import { succeed } from '../../src/testing/samples.js'
import { fetchOnce } from '../support/http/running-service.js'

const boom = new Error('my store is broken')

const brokenStore = async () => {
  const store = makeMemoryStore()
  const findPage = (): never => {
    throw boom
  }
  const create = createApiKey({ ...store, clock: systemClock, crypto: nodeCrypto })
  const { text } = await succeed(create({ name: O.none, scopes: SCOPES, lifetimeMs: O.none }))
  return { store: { ...store, pets: { ...store.pets, findPage } }, headers: { Authorization: `Bearer ${text}` } }
}

const printed = (): readonly unknown[][] => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => spy.mockRestore())
  return spy.mock.calls
}

it.each([
  [
    'the fetch handler',
    async () => {
      const { store, headers } = await brokenStore()
      const handle = makeFetchHandler({ ...store, clock: systemClock, crypto: nodeCrypto }, DEFAULT_HANDLER)
      return handle(new Request('http://pets.test/v1/pets', { headers }))
    },
  ],
  [
    'startService',
    async () => {
      const { store, headers } = await brokenStore()
      const { url, stop } = await succeed(startService({ ...DEFAULT_SERVICE, port: 0 }, { store }))
      onTestFinished(async () => {
        await stop()
      })
      return fetchOnce(`${url}/pets`, { headers })
    },
  ],
])('%s prints the cause of a 500 with its request id on stderr', async (_, call) => {
  const calls = printed()
  const response = await call()
  expect(response.status).toBe(500)
  expect(calls).toStrictEqual([['failure', { requestId: response.headers.get('X-Request-Id'), err: boom }]])
})
