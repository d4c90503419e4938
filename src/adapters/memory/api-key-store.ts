// API keys in a map, lost when the process ends.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ApiKey, byAge, canChange } from '../../domain/api-keys/api-key.js'
import { unavailable } from '../../domain/errors.js'
import type { ApiKeyStore } from '../../ports/api-key-store.js'

export const makeMemoryApiKeyStore = (): ApiKeyStore => {
  const keys = new Map<string, ApiKey>()

  const add = (key: ApiKey) => {
    if (keys.has(key.id)) return TE.left(unavailable(new Error(`key id ${key.id} is in use`)))
    keys.set(key.id, key)
    return TE.right(undefined)
  }

  return {
    add: (key) => TE.flatMap(() => add(key))(TE.right(undefined)),
    addFirst: (key) =>
      TE.fromIO(() => {
        const isFirst = keys.size === 0
        if (isFirst) keys.set(key.id, key)
        return isFirst
      }),
    find: (id) => TE.fromIO(() => O.fromNullable(keys.get(id))),
    list: TE.fromIO(() => [...keys.values()].sort(byAge)),
    change: (id, change) =>
      TE.fromIO(() => {
        const key = keys.get(id)
        if (key === undefined || !canChange(key, change)) return O.none
        const changed = { ...key, ...change }
        keys.set(id, changed)
        return O.some(changed)
      }),
  }
}
