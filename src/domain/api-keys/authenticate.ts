// Identifies the caller by an API key.
// Statements instead of a pipe, because every request with an uncached key runs them.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import type { InvalidApiKey, KeyFault, Unavailable } from '../errors.js'
import { isLive, type Scope, shouldRecordUse } from './api-key.js'
import { claimedKeyIdOf, keyIdOf } from './api-key-text.js'

/** The API key of a request, and what it permits. */
export interface Caller {
  readonly keyId: string
  /** Shared by a key and its successors, so it identifies the owner of everything a caller stores. */
  readonly lineage: string
  readonly scopes: readonly Scope[]
  /** Milliseconds until the key expires; infinite if it never does. */
  readonly validMs: number
}

export type Authenticate = (keyText: string) => TaskEither<InvalidApiKey | Unavailable, Caller>

const refused = (reason: KeyFault, keyId: O.Option<string>): E.Either<InvalidApiKey, never> =>
  E.left({ _tag: 'InvalidApiKey', reason, keyId })

/** The id in a text, or why the text is not a key. Needs no look-up. */
export const namedKeyId = (keyText: string): E.Either<InvalidApiKey, string> => {
  const keyId = keyIdOf(keyText)
  if (O.isSome(keyId)) return E.right(keyId.value)
  const claimed = claimedKeyIdOf(keyText)
  return refused(O.isSome(claimed) ? 'mistyped' : 'malformed', claimed)
}

export const authenticate =
  ({ apiKeys, clock, crypto }: Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>): Authenticate =>
  (keyText) =>
  async () => {
    const named = namedKeyId(keyText)
    if (E.isLeft(named)) return named
    const keyId = O.some(named.right)
    const found = await apiKeys.find(named.right)()
    if (E.isLeft(found)) return found
    if (O.isNone(found.right)) return refused('unknown', keyId)
    const key = found.right.value
    const now = clock.now()
    if (!crypto.isEqual(crypto.sha256(keyText), key.hash)) return refused('wrong_secret', keyId)
    if (!isLive(key, now)) return refused(O.isSome(key.revokedAt) ? 'revoked' : 'expired', keyId)
    // not awaited: metrics count a failure, and the next use tries again
    if (shouldRecordUse(key, now))
      void apiKeys
        .change(key.id, { lastUsedAt: O.some(now) })()
        .catch(() => {})
    const validMs = O.isSome(key.expiresAt) ? key.expiresAt.value - now : Number.POSITIVE_INFINITY
    return E.right({ keyId: key.id, lineage: key.lineage, scopes: key.scopes, validMs })
  }
