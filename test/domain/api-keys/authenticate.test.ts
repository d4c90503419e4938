import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import { keyIdFrom, keyTextFrom } from '../../../src/domain/api-keys/api-key-text.js'
import { authenticate } from '../../../src/domain/api-keys/authenticate.js'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import type { KeyFault } from '../../../src/domain/errors.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { countedBytes } from '../../support/domain/counting-crypto.js'
import { makeWorld, type World } from '../../support/domain/domain-world.js'
import { failingApiKeys, outage } from '../../support/domain/failing-ports.js'

const HOUR_MS = 3_600_000

const withKey = async (lifetimeMs: O.Option<number> = O.none) => {
  const world = makeWorld()
  const input = { name: O.some('shop'), scopes: ['pets:read', 'orders:read'], lifetimeMs } as const
  return { world, ...(await succeed(createApiKey(world)(input))) }
}
const lastUse = async ({ apiKeys }: World, { id }: ApiKey) =>
  O.flatMap((key: ApiKey) => key.lastUsedAt)(await succeed(apiKeys.find(id)))

describe('authenticate', () => {
  it.each([
    [O.none, Number.POSITIVE_INFINITY],
    [O.some(HOUR_MS), HOUR_MS - 1],
  ])('returns the key id, its lineage, its scopes and how long it is valid: %o', async (lifetimeMs, validMs) => {
    const { world, key, text } = await withKey(lifetimeMs)
    world.clock.advance(1)
    expect(await succeed(authenticate(world)(text))).toStrictEqual({
      keyId: key.id,
      lineage: key.id,
      scopes: ['pets:read', 'orders:read'],
      validMs,
    })
  })

  const UNKNOWN = keyIdFrom(countedBytes(9, 8))

  it.each<readonly [string, KeyFault, (text: string, id: string) => string, (id: string) => O.Option<string>]>([
    ['nothing', 'malformed', () => '', () => O.none],
    ['a key with a typing error', 'mistyped', (text) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0'), O.some],
    ['a key with white space', 'malformed', (text) => `${text} `, () => O.none],
    ['an unknown key', 'unknown', () => keyTextFrom(UNKNOWN, countedBytes(2, 32)), () => O.some(UNKNOWN)],
    ['another secret', 'wrong_secret', (_, id) => keyTextFrom(id, countedBytes(9, 32)), O.some],
  ])('refuses %s as %s, and records no use', async (_, reason, textOf, keyIdOf) => {
    const { world, key, text } = await withKey()
    expect(await fail(authenticate(world)(textOf(text, key.id)))).toStrictEqual({
      _tag: 'InvalidApiKey',
      reason,
      keyId: keyIdOf(key.id),
    })
    expect(await lastUse(world, key)).toStrictEqual(O.none)
  })

  it('compares secrets by the crypto of its ports alone, which takes the same time for each', async () => {
    const { world, key } = await withKey()
    const compared: (readonly [string, string])[] = []
    const isEqual = (one: string, other: string): boolean => compared.push([one, other]) > 0
    const another = keyTextFrom(key.id, countedBytes(9, 32))
    const found = await succeed(authenticate({ ...world, crypto: { ...world.crypto, isEqual } })(another))
    expect([found.keyId, compared]).toStrictEqual([key.id, [[world.crypto.sha256(another), key.hash]]])
  })

  it('refuses a malformed key without a look-up', async () => {
    const world = { ...makeWorld(), apiKeys: failingApiKeys }
    expect(await fail(authenticate(world)('Rex'))).toMatchObject({ _tag: 'InvalidApiKey', reason: 'malformed' })
  })

  it('distinguishes an outage from an invalid key', async () => {
    const { world, text } = await withKey()
    expect(await fail(authenticate({ ...world, apiKeys: failingApiKeys })(text))).toBe(outage)
  })

  it('records the first use, then one use per hour', async () => {
    const { world, key, text } = await withKey()
    const uses: O.Option<number>[] = []
    for (const wait of [5, HOUR_MS - 1, 1, HOUR_MS]) {
      world.clock.advance(wait)
      await succeed(authenticate(world)(text))
      uses.push(await lastUse(world, key))
    }
    expect(uses).toStrictEqual([1_000_005, 1_000_005, 1_000_005 + HOUR_MS, 1_000_005 + 2 * HOUR_MS].map(O.some))
  })

  it.each<readonly [string, ReturnType<World['apiKeys']['change']>]>([
    ['never ends', () => new Promise(() => {})],
    ['rejects', () => Promise.reject(new Error('a defect'))],
    ['fails', TE.left(outage)],
  ])('does not wait for a record of the use that %s', async (_, note) => {
    const { world, key, text } = await withKey()
    const apiKeys = { ...world.apiKeys, change: () => note }
    expect((await succeed(authenticate({ ...world, apiKeys })(text))).keyId).toBe(key.id)
  })
})
