// A rotation that fails half-way, or whose successor nobody got.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { isLive } from '../../../src/domain/api-keys/api-key.js'
import { authenticate } from '../../../src/domain/api-keys/authenticate.js'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { rotateApiKey, withdrawRotation } from '../../../src/domain/api-keys/end-api-key.js'
import type { ApiKeyStore } from '../../../src/ports/api-key-store.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingApiKeys, outage } from '../../support/domain/failing-ports.js'

const withKey = async (lifetimeMs: O.Option<number> = O.none) => {
  const world = makeWorld()
  const old = await succeed(createApiKey(world)({ name: O.some('shop'), scopes: ['pets:read'], lifetimeMs }))
  return { world, old }
}

describe('rotateApiKey', () => {
  it.each([
    ['retires the old key', 1],
    ['makes the successor valid', 2],
  ])('leaves the old key as it was, and no live successor, if the write fails that %s', async (_, nth) => {
    const { world, old } = await withKey(O.some(1_000))
    let writes = 0
    const change: ApiKeyStore['change'] = (...words) => {
      writes += 1
      return writes === nth ? failingApiKeys.change(...words) : world.apiKeys.change(...words)
    }
    const ports = { ...world, apiKeys: { ...world.apiKeys, change } }
    expect(await fail(rotateApiKey(ports)({ id: old.key.id, overlapMs: 100 }))).toBe(outage)
    const live = (await succeed(world.apiKeys.list)).filter((key) => isLive(key, world.clock.now()))
    expect(live).toStrictEqual([old.key])
    expect((await succeed(rotateApiKey(world)({ id: old.key.id, overlapMs: 100 }))).replaced).toStrictEqual(old.key)
  })

  it.each([1, 2])('leaves no live successor if the store is away from change %i on', async (nth) => {
    const { world, old } = await withKey()
    let writes = 0
    const change: ApiKeyStore['change'] = (...words) => {
      writes += 1
      return writes >= nth ? failingApiKeys.change(...words) : world.apiKeys.change(...words)
    }
    const ports = { ...world, apiKeys: { ...world.apiKeys, change } }
    expect(await fail(rotateApiKey(ports)({ id: old.key.id, overlapMs: 100 }))).toBe(outage)
    const live = (await succeed(world.apiKeys.list)).filter((key) => isLive(key, world.clock.now()))
    expect(live.map(({ id }) => id)).toStrictEqual([old.key.id])
  })

  it('fails if the successor is revoked before it is valid', async () => {
    const { world, old } = await withKey()
    const change: ApiKeyStore['change'] = (id, wanted) =>
      world.apiKeys.change(id, id === old.key.id ? wanted : { ...wanted, revokedAt: O.some(1) })
    const ports = { ...world, apiKeys: { ...world.apiKeys, change } }
    expect(await fail(rotateApiKey(ports)({ id: old.key.id, overlapMs: 100 }))).toMatchObject({ _tag: 'Unavailable' })
    expect(await succeed(world.apiKeys.find(old.key.id))).toStrictEqual(O.some(old.key))
  })
})

describe('withdrawRotation', () => {
  it('revokes the successor, and lets the old key live and be rotated as before', async () => {
    const { world, old } = await withKey(O.some(1_000))
    const rotated = await succeed(rotateApiKey(world)({ id: old.key.id, overlapMs: 100 }))
    await succeed(withdrawRotation(world)(rotated))
    expect(await succeed(world.apiKeys.find(old.key.id))).toStrictEqual(O.some(old.key))
    expect(await fail(authenticate(world)(rotated.text))).toMatchObject({ reason: 'revoked' })
    await succeed(rotateApiKey(world)({ id: old.key.id, overlapMs: 100 }))
  })
})
