import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { pruneApiKeys } from '../../../src/domain/api-keys/end-api-key.js'
import { anyApiKey, fail, succeed } from '../../../src/testing/samples.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingApiKeys, outage } from '../../support/domain/failing-ports.js'

it('removes the keys that ended longer ago than that, and returns how many', async () => {
  const world = makeWorld()
  const now = world.clock.now()
  const [kept, removed] = [
    { ...anyApiKey, id: 'ccccccccccc', revokedAt: O.some(now - 100) },
    { ...anyApiKey, id: 'ddddddddddd', expiresAt: O.some(now - 101) },
  ]
  for (const key of [anyApiKey, kept, removed]) await succeed(world.apiKeys.add(key))
  expect(await succeed(pruneApiKeys(world)({ olderThanMs: 100 }))).toBe(1)
  expect(new Set(await succeed(world.apiKeys.list))).toStrictEqual(new Set([anyApiKey, kept]))
})

it('refuses an age out of bounds, and reports an outage', async () => {
  const ports = { ...makeWorld(), apiKeys: failingApiKeys }
  expect(await fail(pruneApiKeys(ports)({ olderThanMs: -1 }))).toMatchObject({ _tag: 'ValidationFailed' })
  expect(await fail(pruneApiKeys(ports)({ olderThanMs: 1 }))).toBe(outage)
})
