// Identifies the caller by an API key.
// Written as statements, not as a pipe, because every request with an unknown key runs them.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import type { InvalidApiKey, Unavailable } from '../errors.js'
import { type ApiKey, isLive, isUseWorthNoting, type Scope } from './api-key.js'
import { keyIdOf } from './api-key-text.js'

/** The API key of a request, and what it permits. @since 1.0.0 @category API keys */
export interface Caller {
  readonly keyId: string
  /** The same for a key and its successors by rotation, and so the owner of everything a caller stores. */
  readonly lineage: string
  readonly scopes: readonly Scope[]
}

/** @since 1.0.0 @category API keys */
export type Authenticate = (keyText: string) => TaskEither<InvalidApiKey | Unavailable, Caller>

const refused: E.Either<InvalidApiKey, never> = E.left({ _tag: 'InvalidApiKey' })

/**
 * The caller with this key. Any text that is not a valid key is `InvalidApiKey`, without the reason (RFC 6750 §3.1).
 *
 * @since 1.0.0 @category API keys
 * @example
 * const ports = { ...makeMemoryStore({ isRelayed: false }), clock: systemClock, crypto: nodeCrypto }
 * await authenticate(ports)('no key')() // => E.left({ _tag: 'InvalidApiKey' })
 */
export const authenticate = (ports: Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>): Authenticate => {
  const isGood = (key: ApiKey, keyText: string): boolean =>
    ports.crypto.isEqual(ports.crypto.sha256(keyText), key.hash) && isLive(key, ports.clock.now())

  /** Starts recording the use. No caller waits for this write, and no request fails with it. */
  const noteUse = (key: ApiKey): void => {
    const now = ports.clock.now()
    if (!isUseWorthNoting(key, now)) return
    ports.apiKeys
      .change(key.id, { lastUsedAt: O.some(now) })()
      .catch(() => {})
  }

  return (keyText) => async () => {
    const keyId = keyIdOf(keyText)
    if (O.isNone(keyId)) return refused
    const found = await ports.apiKeys.find(keyId.value)()
    if (E.isLeft(found)) return found
    if (O.isNone(found.right) || !isGood(found.right.value, keyText)) return refused
    const { id, lineage, scopes } = found.right.value
    noteUse(found.right.value)
    return E.right({ keyId: id, lineage, scopes })
  }
}
