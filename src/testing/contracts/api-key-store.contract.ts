// The contract of an API key store.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import type { ApiKeyChange, ApiKeyStore } from '../../ports/api-key-store.js'
import type { Store } from '../../ports/store.js'
import { anyApiKey, apiKeyOf, fail, fullApiKey, range, succeed } from '../samples.js'
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
      const keys = ['a', 'b', 'c', 'd'].map((letter) => apiKeyOf(letter, { hash: letter.repeat(64) }))
      const areAdded = await Promise.all(keys.map((key) => succeed(store.addFirst(key))))
      const first = keys.filter((_, at) => areAdded[at])
      expect(first).toHaveLength(1)
      expect(await succeed(store.list)).toStrictEqual(first)
      expect(await succeed((await holding(fullApiKey)).addFirst(anyApiKey))).toBe(false)
    })

    it('returns every key exactly as it was added, and lists all, oldest first', async () => {
      const keys = [fullApiKey, { ...anyApiKey, id: 'a0aaaaaaaaa' }, anyApiKey]
      const store = await holding(...keys.toReversed())
      expect(await succeed(store.list)).toStrictEqual(keys)
      for (const key of keys) expect(await succeed(store.find(key.id))).toStrictEqual(O.some(key))
      expect(await succeed((await holding()).list)).toStrictEqual([])
    })

    it('lists any number of keys', async () => {
      const store = await holding()
      const keys = range(1, 1_001).map((at) => ({ ...anyApiKey, id: String(at).padStart(11, '0') }))
      await Promise.all(keys.map((key) => succeed(store.add(key))))
      expect(new Set((await succeed(store.list)).map(({ id }) => id))).toStrictEqual(new Set(keys.map(({ id }) => id)))
    })

    it('changes only the given members', async () => {
      const store = await holding(anyApiKey, fullApiKey)
      const change = async (key: ApiKey, members: ApiKeyChange): Promise<ApiKey> => {
        const changed = { ...key, ...members }
        expect(await succeed(store.find(key.id))).toStrictEqual(O.some(key))
        expect(await succeed(store.change(key.id, members))).toStrictEqual(O.some(changed))
        expect(await succeed(store.find(key.id))).toStrictEqual(O.some(changed))
        return changed
      }
      const set = { revokedAt: O.some(7_000), lastUsedAt: O.some(6_500), successor: O.some('ccccccccccc') }
      const changed = await change(anyApiKey, set)
      const freed = await change(fullApiKey, { expiresAt: O.none, successor: O.none })
      expect(await succeed(store.list)).toStrictEqual([freed, changed])
    })

    it('keeps every one of several changes at once', async () => {
      const store = await holding(anyApiKey)
      const changes = [{ revokedAt: O.some(7_000) }, { lastUsedAt: O.some(6_500) }, { expiresAt: O.some(8_000) }]
      await Promise.all(changes.map((change) => succeed(store.change(anyApiKey.id, change))))
      expect(await succeed(store.find(anyApiKey.id))).toStrictEqual(O.some(Object.assign({ ...anyApiKey }, ...changes)))
    })

    it('removes the keys that were revoked or expired before an instant, and no others', async () => {
      const [earlier, at] = [O.some(6_999), O.some(7_000)]
      const ended = [
        apiKeyOf('c', { revokedAt: earlier }),
        apiKeyOf('d', { expiresAt: earlier }),
        apiKeyOf('e', { revokedAt: at, expiresAt: earlier }),
      ]
      const kept = [
        apiKeyOf('f'),
        apiKeyOf('g', { revokedAt: at }),
        apiKeyOf('h', { expiresAt: at, lastUsedAt: O.some(1) }),
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
      const at = results.findIndex(O.isSome)
      const kept = O.some({ ...anyApiKey, ...successors[at] })
      expect(await succeed(store.find(anyApiKey.id))).toStrictEqual(kept)
      expect(await succeed(store.change(anyApiKey.id, successors[at] ?? {}))).toStrictEqual(kept)
      expect(await succeed(store.change('ccccccccccc', { successor: O.some('ddddddddddd') }))).toStrictEqual(O.none)
    })
  })
}
