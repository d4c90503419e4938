// The contract of an API key store.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import type { ApiKeyStore } from '../../ports/api-key-store.js'
import type { Store } from '../../ports/store.js'
import { anyApiKey, fail, fullApiKey, succeed } from '../samples.js'
import { opened } from './store.contract.js'

/** The vitest suite; `make` opens an empty store for each test. */
export const apiKeyStoreContract = (name: string, make: () => Promise<Pick<Store, 'apiKeys' | 'close'>>): void => {
  describe(`ApiKeyStore: ${name}`, () => {
    const holding = async (...keys: readonly ApiKey[]): Promise<ApiKeyStore> => {
      const { apiKeys } = await opened(make)
      for (const key of keys) await succeed(apiKeys.add(key))
      return apiKeys
    }

    it('finds and changes nothing under an unknown id', async () => {
      const store = await holding(anyApiKey)
      expect(await succeed(store.change('ccccccccccc', { revokedAt: O.some(1) }))).toStrictEqual(O.none)
      expect(await succeed(store.list)).toStrictEqual([anyApiKey])
      expect(await succeed(store.find('AAAAAAAAAAA'))).toStrictEqual(O.none)
      expect(await succeed(store.find(''))).toStrictEqual(O.none)
    })

    it('refuses an id that is in use, and keeps the first key', async () => {
      const store = await holding(anyApiKey)
      expect(await fail(store.add({ ...fullApiKey, id: anyApiKey.id }))).toMatchObject({ _tag: 'Unavailable' })
      expect(await succeed(store.find(anyApiKey.id))).toStrictEqual(O.some(anyApiKey))
    })

    it('adds one first key, whoever asks at once, and none beside an existing key', async () => {
      const store = await holding()
      const keys = ['a', 'b', 'c', 'd'].map((letter) => ({
        ...anyApiKey,
        id: letter.repeat(11),
        hash: letter.repeat(64),
      }))
      const results = await Promise.all(keys.map((key) => succeed(store.addFirst(key))))
      expect(results.filter((isAdded) => isAdded)).toHaveLength(1)
      expect(await succeed(store.list)).toStrictEqual(keys.filter((_, at) => results[at] === true))
      expect(await succeed((await holding(fullApiKey)).addFirst(anyApiKey))).toBe(false)
    })

    it('returns every key exactly as it was added, and lists all, oldest first', async () => {
      const keys = [fullApiKey, { ...anyApiKey, id: 'a0aaaaaaaaa' }, anyApiKey]
      const store = await holding(...keys.toReversed())
      expect(await succeed(store.list)).toStrictEqual(keys)
      for (const key of keys) expect(await succeed(store.find(key.id))).toStrictEqual(O.some(key))
      expect(await succeed((await holding()).list)).toStrictEqual([])
    })

    it('changes only the given members', async () => {
      const store = await holding(anyApiKey, fullApiKey)
      const change = { revokedAt: O.some(7_000), lastUsedAt: O.some(6_500), successor: O.some('ccccccccccc') }
      const changed = { ...anyApiKey, ...change }
      expect(await succeed(store.change(anyApiKey.id, change))).toStrictEqual(O.some(changed))
      expect(await succeed(store.find(anyApiKey.id))).toStrictEqual(O.some(changed))
      const freed = { ...fullApiKey, expiresAt: O.none, successor: O.none }
      expect(await succeed(store.change(fullApiKey.id, { expiresAt: O.none, successor: O.none }))).toStrictEqual(
        O.some(freed),
      )
      expect(await succeed(store.list)).toStrictEqual([freed, changed])
    })

    it('keeps every one of several changes at once', async () => {
      const store = await holding(anyApiKey)
      const changes = [{ revokedAt: O.some(7_000) }, { lastUsedAt: O.some(6_500) }, { expiresAt: O.some(8_000) }]
      await Promise.all(changes.map((change) => succeed(store.change(anyApiKey.id, change))))
      expect(await succeed(store.find(anyApiKey.id))).toStrictEqual(O.some(Object.assign({ ...anyApiKey }, ...changes)))
    })

    it('removes the keys that were revoked or expired before an instant, and no others', async () => {
      const keyOf = (letter: string, ends: Partial<ApiKey>): ApiKey => ({
        ...anyApiKey,
        id: letter.repeat(11),
        ...ends,
      })
      const ended = [
        keyOf('c', { revokedAt: O.some(6_999) }),
        keyOf('d', { expiresAt: O.some(6_999) }),
        keyOf('e', { revokedAt: O.some(9_000), expiresAt: O.some(6_999) }),
      ]
      const kept = [
        keyOf('f', {}),
        keyOf('g', { revokedAt: O.some(7_000) }),
        keyOf('h', { expiresAt: O.some(7_000), lastUsedAt: O.some(1) }),
      ]
      const store = await holding(...ended, ...kept)
      expect(await succeed(store.removeEnded(7_000))).toBe(ended.length)
      expect(await succeed(store.list)).toStrictEqual(kept)
      expect(await succeed(store.removeEnded(7_000))).toBe(0)
    })

    it('gives a key one successor, whoever asks first, and none to a revoked key', async () => {
      const store = await holding(anyApiKey, { ...anyApiKey, id: 'ccccccccccc', revokedAt: O.some(1) })
      const successors = ['ddddddddddd', 'eeeeeeeeeee'].map((id) => ({ successor: O.some(id) }))
      const results = await Promise.all(successors.map((change) => succeed(store.change(anyApiKey.id, change))))
      expect(results.filter(O.isSome)).toHaveLength(1)
      const [kept = O.none] = results.filter(O.isSome)
      expect(await succeed(store.find(anyApiKey.id))).toStrictEqual(kept)
      const again = { successor: O.isSome(kept) ? kept.value.successor : O.none }
      expect(await succeed(store.change(anyApiKey.id, again))).toStrictEqual(kept)
      expect(await succeed(store.change('ccccccccccc', { successor: O.some('ddddddddddd') }))).toStrictEqual(O.none)
    })
  })
}
