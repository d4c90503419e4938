import { createHash } from 'node:crypto'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/domain/api-keys/api-key.js'
import { keyIdFrom, keyIdOf, keyTextFrom } from '../../../src/domain/api-keys/api-key-text.js'
import { type CreateApiKeyInput, createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import type { Fault } from '../../../src/domain/codecs/struct.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { countedBytes } from '../../support/domain/counting-crypto.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingApiKeys, outage } from '../../support/domain/failing-ports.js'

const plain: CreateApiKeyInput = { name: O.none, scopes: ['pets:read'], lifetimeMs: O.none }

describe('createApiKey', () => {
  it('creates a key from 8 and 32 random bytes, and stores it without its text [key-form]', async () => {
    const world = makeWorld()
    const id = keyIdFrom(countedBytes(1, 8))
    const text = keyTextFrom(id, countedBytes(2, 32))
    const issued = await succeed(createApiKey(world)(plain))
    expect(issued).toStrictEqual({
      key: {
        id,
        name: O.none,
        scopes: ['pets:read'],
        hash: createHash('sha256').update(text).digest('hex'),
        createdAt: 1_000_000,
        expiresAt: O.none,
        revokedAt: O.none,
        lastUsedAt: O.none,
        successor: O.none,
        lineage: id,
      },
      text,
    })
    expect(keyIdOf(text)).toStrictEqual(O.some(id))
    const kept = await succeed(world.apiKeys.list)
    expect(kept).toStrictEqual([issued.key])
    expect(JSON.stringify(kept)).not.toContain(text.slice(21))
  })

  const scopes = {
    pointer: '/scopes',
    reason: 'must be one or more of pets:read, pets:write, orders:read, events:read',
  }
  const lifetimeMs = { pointer: '/lifetimeMs', reason: 'must be an integer of milliseconds from 0 to 3155760000000' }

  it.each<readonly [string, Partial<CreateApiKeyInput>, readonly Fault[]]>([
    ['an empty name', { name: O.some('') }, [{ pointer: '/name', reason: 'must have 1 to 256 characters' }]],
    [
      'a name with a lone surrogate',
      { name: O.some('\ud83d') },
      [{ pointer: '/name', reason: 'must be well-formed Unicode, without a lone surrogate' }],
    ],
    ['no scope', { scopes: [] }, [scopes]],
    ['an unknown scope', { scopes: JSON.parse('["pets:read","pets:eat"]') as Scope[] }, [scopes]],
    ['a negative lifetime', { lifetimeMs: O.some(-1) }, [lifetimeMs]],
    ['two faults', { scopes: [], lifetimeMs: O.some(Number.POSITIVE_INFINITY) }, [scopes, lifetimeMs]],
  ])('creates none with %s', async (_, input, faults) => {
    const world = makeWorld()
    expect(await fail(createApiKey(world)({ ...plain, ...input }))).toStrictEqual({ _tag: 'ValidationFailed', faults })
    expect(await succeed(world.apiKeys.list)).toStrictEqual([])
  })

  it('returns no key that could not be stored', async () => {
    expect(await fail(createApiKey({ ...makeWorld(), apiKeys: failingApiKeys })(plain))).toBe(outage)
  })
})
