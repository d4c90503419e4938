import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { pruneApiKeys, revokeApiKey, rotateApiKey } from '../../../src/domain/api-keys/end-api-key.js'
import { anyApiKey, fail, succeed } from '../../../src/testing/samples.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingApiKeys, outage } from '../../support/domain/failing-ports.js'

const withKey = async () => {
  const world = makeWorld()
  const input = { name: O.some('shop'), scopes: ['pets:read'], lifetimeMs: O.some(1_000) } as const
  const { key } = await succeed(createApiKey(world)(input))
  return { world, key }
}

describe('revokeApiKey', () => {
  it('revokes a key now and changes nothing else, and keeps the time of the first revocation', async () => {
    const { world, key } = await withKey()
    world.clock.advance(5)
    const revoked = { ...key, revokedAt: O.some(1_000_005) }
    expect(await succeed(revokeApiKey(world)(key.id))).toStrictEqual(revoked)
    world.clock.advance(5)
    expect(await succeed(revokeApiKey(world)(key.id))).toStrictEqual(revoked)
    expect(await succeed(world.apiKeys.find(key.id))).toStrictEqual(O.some(revoked))
  })

  it('reports an outage at the look-up or at the change', async () => {
    const { world, key } = await withKey()
    expect(await fail(revokeApiKey({ ...world, apiKeys: failingApiKeys })(key.id))).toBe(outage)
    const apiKeys = { ...world.apiKeys, change: failingApiKeys.change }
    expect(await fail(revokeApiKey({ ...world, apiKeys })(key.id))).toBe(outage)
  })

  it('finds nothing under a text that cannot be an id, as a rotation does, and asks no port', async () => {
    const ports = { ...makeWorld(), apiKeys: failingApiKeys }
    for (const id of ['', 'a\n', 'k'.repeat(3_000)]) {
      const notFound = { _tag: 'ApiKeyNotFound', id }
      expect(await fail(rotateApiKey(ports)({ id, overlapMs: 1 }))).toStrictEqual(notFound)
      expect(await fail(revokeApiKey(ports)(id))).toStrictEqual(notFound)
    }
  })
})

describe('pruneApiKeys', () => {
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
})
