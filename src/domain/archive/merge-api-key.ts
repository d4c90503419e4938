// Merges two states of an API key: a revocation or expiry in either state ends the key.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../api-keys/api-key.js'

type Joined = 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'successor'

const withDefault = <A>(one: O.Option<A>, other: O.Option<A>, both: (one: A, other: A) => A): O.Option<A> => {
  if (O.isNone(one)) return other
  return O.isNone(other) ? one : O.some(both(one.value, other.value))
}

/** The members that change in the life of a key. A revocation or an expiry in either state wins. */
const join = (one: ApiKey, other: ApiKey): Pick<ApiKey, Joined> => ({
  expiresAt: withDefault(one.expiresAt, other.expiresAt, Math.min),
  revokedAt: withDefault(one.revokedAt, other.revokedAt, Math.min),
  lastUsedAt: withDefault(one.lastUsedAt, other.lastUsedAt, Math.max),
  successor: withDefault(one.successor, other.successor, (kept) => kept),
})

/** The members that never change. A new member of ApiKey does not compile until it is here or joined above. */
const SAME: Readonly<Record<Exclude<keyof ApiKey, Joined>, (one: ApiKey, other: ApiKey) => boolean>> = {
  id: (one, other) => one.id === other.id,
  name: (one, other) => O.toUndefined(one.name) === O.toUndefined(other.name),
  scopes: (one, other) => one.scopes.join() === other.scopes.join(),
  hash: (one, other) => one.hash === other.hash,
  createdAt: (one, other) => one.createdAt === other.createdAt,
  lineage: (one, other) => one.lineage === other.lineage,
}

/** Whether two states of a key are equal in every member that changes. */
export const isSameKeyState = (one: ApiKey, other: ApiKey): boolean =>
  JSON.stringify(join(one, one)) === JSON.stringify(join(other, other))

/** The merged key, independent of the order of the states; or the member that differs if they are two different keys. */
export const mergeApiKeys = (one: ApiKey, other: ApiKey): E.Either<string, ApiKey> => {
  const differing = Object.entries(SAME).find(([, isSame]) => !isSame(one, other))
  if (differing !== undefined) return E.left(differing[0])
  if (O.isSome(one.successor) && O.isSome(other.successor) && one.successor.value !== other.successor.value) {
    return E.left('successor')
  }
  return E.right({ ...one, ...join(one, other) })
}
