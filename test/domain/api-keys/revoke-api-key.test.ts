import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { revokeApiKey } from '../../../src/domain/api-keys/revoke-api-key.js'
import { fail, succeed } from '../../../src/testing/outcome.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingApiKeys, outage } from '../../support/domain/failing-ports.js'

const withKey = async (lifetimeMs: O.Option<number> = O.none) => {
  const world = makeWorld()
  const { key } = await succeed(createApiKey(world)({ name: O.some('shop'), scopes: ['pets:read'], lifetimeMs }))
  return { world, key }
}

describe('revokeApiKey', () => {
  it('revokes a key now, and changes nothing else', async () => {
    const { world, key } = await withKey(O.some(1_000))
    world.clock.advance(5)
    const revoked = { ...key, revokedAt: O.some(1_000_005) }
    expect(await succeed(revokeApiKey(world)(key.id))).toStrictEqual(revoked)
    expect(await succeed(world.apiKeys.find(key.id))).toStrictEqual(O.some(revoked))
  })

  it('keeps the time of the first revocation', async () => {
    const { world, key } = await withKey()
    const first = await succeed(revokeApiKey(world)(key.id))
    world.clock.advance(5)
    expect(await succeed(revokeApiKey(world)(key.id))).toStrictEqual(first)
    expect(await succeed(world.apiKeys.find(key.id))).toStrictEqual(O.some(first))
  })

  it('revokes an expired key too', async () => {
    const { world, key } = await withKey(O.some(1_000))
    world.clock.advance(2_000)
    expect((await succeed(revokeApiKey(world)(key.id))).revokedAt).toStrictEqual(O.some(1_002_000))
  })

  it('finds no key with another id', async () => {
    const { world } = await withKey()
    expect(await fail(revokeApiKey(world)('zzzzzzzzzzz'))).toStrictEqual({ _tag: 'ApiKeyNotFound', id: 'zzzzzzzzzzz' })
  })

  it('reports an outage at the look-up or at the change', async () => {
    const { world, key } = await withKey()
    expect(await fail(revokeApiKey({ ...world, apiKeys: failingApiKeys })(key.id))).toBe(outage)
    const apiKeys = { ...world.apiKeys, change: failingApiKeys.change }
    expect(await fail(revokeApiKey({ ...world, apiKeys })(key.id))).toBe(outage)
  })
})
