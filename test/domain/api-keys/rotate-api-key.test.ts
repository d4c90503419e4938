import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { isLive } from '../../../src/domain/api-keys/api-key.js'
import { authenticate } from '../../../src/domain/api-keys/authenticate.js'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { revokeApiKey, rotateApiKey } from '../../../src/domain/api-keys/end-api-key.js'
import type { ApiKeyStore } from '../../../src/ports/api-key-store.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingApiKeys, outage } from '../../support/domain/failing-ports.js'

const withKey = async (lifetimeMs: O.Option<number> = O.none) => {
  const world = makeWorld()
  const old = await succeed(
    createApiKey(world)({ name: O.some('shop'), scopes: ['pets:write', 'pets:read'], lifetimeMs }),
  )
  return { world, old }
}

describe('rotateApiKey', () => {
  it('creates a successor with the same name, scopes and lineage, and a new id, secret and lifetime', async () => {
    const { world, old } = await withKey()
    world.clock.advance(5)
    const successor = await succeed(rotateApiKey(world)({ id: old.key.id, overlapMs: 100 }))
    expect(successor.key).toStrictEqual({
      ...old.key,
      id: successor.key.id,
      hash: world.crypto.sha256(successor.text),
      createdAt: 1_000_005,
    })
    expect(new Set([old.key.id, successor.key.id, old.text, successor.text]).size).toBe(4)
    expect(await succeed(world.apiKeys.find(successor.key.id))).toStrictEqual(O.some(successor.key))
  })

  it('accepts both keys during the overlap, then only the successor [key-life]', async () => {
    const { world, old } = await withKey()
    world.clock.advance(5)
    const successor = await succeed(rotateApiKey(world)({ id: old.key.id, overlapMs: 100 }))
    world.clock.advance(99)
    expect((await succeed(authenticate(world)(old.text))).keyId).toBe(old.key.id)
    expect((await succeed(authenticate(world)(successor.text))).keyId).toBe(successor.key.id)
    world.clock.advance(1)
    expect(await fail(authenticate(world)(old.text))).toMatchObject({ _tag: 'InvalidApiKey', reason: 'expired' })
    expect((await succeed(authenticate(world)(successor.text))).keyId).toBe(successor.key.id)
  })

  it.each<readonly [string, number, number]>([
    ['shortens the life of the old key to the overlap', 100, 1_000_105],
    ['never extends the life of the old key', 5_000, 1_001_000],
    ['ends the old key at once without an overlap', 0, 1_000_005],
  ])('%s', async (_, overlapMs, end) => {
    const { world, old } = await withKey(O.some(1_000))
    world.clock.advance(5)
    const successor = await succeed(rotateApiKey(world)({ id: old.key.id, overlapMs }))
    expect(await succeed(world.apiKeys.find(old.key.id))).toStrictEqual(
      O.some({ ...old.key, expiresAt: O.some(end), successor: O.some(successor.key.id) }),
    )
  })

  it('gives the successor of an expiring key the same lifetime, from now on', async () => {
    const { world, old } = await withKey(O.some(1_000))
    world.clock.advance(600)
    const { key } = await succeed(rotateApiKey(world)({ id: old.key.id, overlapMs: 100 }))
    expect([key.createdAt, key.expiresAt]).toStrictEqual([1_000_600, O.some(1_001_600)])
  })

  it('creates no second successor, and names the first, which can be rotated', async () => {
    const { world, old } = await withKey()
    const { key } = await succeed(rotateApiKey(world)({ id: old.key.id, overlapMs: 100 }))
    expect(await fail(rotateApiKey(world)({ id: old.key.id, overlapMs: 100 }))).toStrictEqual({
      _tag: 'ApiKeyReplaced',
      id: old.key.id,
      successor: key.id,
    })
    expect(await succeed(world.apiKeys.list)).toHaveLength(2)
    const next = await succeed(rotateApiKey(world)({ id: key.id, overlapMs: 100 }))
    expect([next.key.expiresAt, next.key.successor]).toStrictEqual([O.none, O.none])
  })

  it('leaves one live successor when two rotations race', async () => {
    const { world, old } = await withKey()
    const results = await Promise.all([1, 2].map(() => rotateApiKey(world)({ id: old.key.id, overlapMs: 100 })()))
    expect(results.map(({ _tag }) => _tag).sort()).toStrictEqual(['Left', 'Right'])
    expect(results.find(E.isLeft)).toMatchObject({ left: { _tag: 'ApiKeyReplaced', id: old.key.id } })
    const live = (await succeed(world.apiKeys.list)).filter((key) => isLive(key, world.clock.now()))
    expect(live).toHaveLength(2)
  })

  it('leaves no live successor of a key that is revoked meanwhile', async () => {
    const { world, old } = await withKey()
    const add: ApiKeyStore['add'] = (key) =>
      pipe(
        world.apiKeys.add(key),
        TE.tap(() => world.apiKeys.change(old.key.id, { revokedAt: O.some(1) })),
      )
    const ports = { ...world, apiKeys: { ...world.apiKeys, add } }
    expect(await fail(rotateApiKey(ports)({ id: old.key.id, overlapMs: 100 }))).toMatchObject({
      _tag: 'ApiKeyNotFound',
    })
    const keys = await succeed(world.apiKeys.list)
    expect(keys.map((key) => isLive(key, world.clock.now()))).toStrictEqual([false, false])
  })

  it.each(['unknown', 'revoked', 'expired'])('creates no successor of a key that is %s', async (state) => {
    const { world, old } = await withKey(O.some(1_000))
    if (state === 'revoked') await succeed(revokeApiKey(world)(old.key.id))
    if (state === 'expired') world.clock.advance(1_000)
    const id = state === 'unknown' ? 'zzzzzzzzzzz' : old.key.id
    expect(await fail(rotateApiKey(world)({ id, overlapMs: 100 }))).toStrictEqual({ _tag: 'ApiKeyNotFound', id })
    expect(await succeed(world.apiKeys.list)).toHaveLength(1)
  })

  it.each(['find', 'add'] as const)('reports an outage at its %s', async (part) => {
    const { world, old } = await withKey()
    const apiKeys = { ...world.apiKeys, [part]: failingApiKeys[part] }
    expect(await fail(rotateApiKey({ ...world, apiKeys })({ id: old.key.id, overlapMs: 100 }))).toBe(outage)
    expect((await succeed(authenticate(world)(old.text))).keyId).toBe(old.key.id)
  })

  it('refuses an overlap out of bounds, and changes nothing', async () => {
    const { world, old } = await withKey()
    expect(await fail(rotateApiKey(world)({ id: old.key.id, overlapMs: -1 }))).toStrictEqual({
      _tag: 'ValidationFailed',
      faults: [{ pointer: '/overlapMs', reason: 'must be an integer of milliseconds from 0 to 3155760000000' }],
    })
    expect(await succeed(world.apiKeys.list)).toStrictEqual([old.key])
  })

  it.each<readonly [string, boolean, readonly number[], number]>([
    ['fails', false, [1], 1],
    ['fails, and every later one', false, [1, 2, 3], 2],
    ['arrives although it fails', true, [1], 1],
    ['arrives although it fails, and the next one fails', true, [1, 2], 2],
    ['arrives although it fails, and the last one fails', true, [1, 3], 2],
  ])(
    'leaves a key that can be rotated if the write that retires the old key %s',
    async (_, arrives, failures, count) => {
      const { world, old } = await withKey(O.some(1_000))
      let writes = 0
      const change: ApiKeyStore['change'] = (...words) => {
        writes += 1
        if (!failures.includes(writes)) return world.apiKeys.change(...words)
        const first = arrives && writes === 1 ? world.apiKeys.change(...words) : TE.right(O.none)
        return TE.flatMap(() => failingApiKeys.change(...words))(first)
      }
      const ports = { ...world, apiKeys: { ...world.apiKeys, change } }
      expect(await fail(rotateApiKey(ports)({ id: old.key.id, overlapMs: 100 }))).toBe(outage)
      const live = (await succeed(world.apiKeys.list)).filter((key) => isLive(key, world.clock.now()))
      expect(live).toHaveLength(count)
      const isRetired = arrives && failures.includes(2)
      if (!isRetired) expect(live).toContainEqual(old.key)
      const { id } = live.find((key) => (key.id === old.key.id) !== isRetired) ?? old.key
      const { key } = await succeed(rotateApiKey(world)({ id, overlapMs: 100 }))
      expect(await succeed(world.apiKeys.find(id))).toMatchObject(O.some({ successor: O.some(key.id) }))
    },
  )
})
