// Tests against the real service, in memory and in this process: real responses, no container, no mock.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { addPet, createApiKey, makeMemoryStore } from 'animal-store'
import { DEFAULT_SETTINGS, makeListener, makeServer } from 'animal-store/http'
import { nodeCrypto, systemClock } from 'animal-store/node'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { afterEach, expect, it } from 'vitest'
import { namesForSale } from './for-sale.js'

const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
const { server } = makeServer(makeListener(ports, DEFAULT_SETTINGS), {
  ...DEFAULT_SETTINGS,
  requestTimeoutMs: 10_000,
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

it('finds every animal that is for sale', async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const key = await createApiKey(ports)({ name: O.none, scopes: ['pets:read'], lifetimeMs: O.none })()
  if (E.isLeft(key)) throw new Error('no key', { cause: key.left })
  for (const [name, status] of Object.entries({ Ada: 'available', Bo: 'sold', Cy: 'available', Di: 'available' })) {
    await addPet(ports)({ newPet: { name, categoryId: 1n, status }, idempotencyKey: O.none })()
  }
  expect(await namesForSale(baseUrl, key.right.text)).toStrictEqual(['Di', 'Cy', 'Ada'])
})
