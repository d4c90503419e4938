// Tells whose key a text is, if it is one good key.
import { pipe } from 'fp-ts/lib/function.js'
import type { IO } from 'fp-ts/lib/IO.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../ports/index.js'
import { type ApiKey, isLive, isUseWorthNoting, type Scope } from './api-key.js'
import { keyIdOf } from './api-key-text.js'
import type { InvalidApiKey, Unavailable } from './errors.js'

/** The API key of a request, and what it permits. */
export interface Caller {
  readonly keyId: string
  /** The same for a rotated key and its successors: what a caller owns belongs to it. */
  readonly lineage: string
  readonly scopes: readonly Scope[]
}

export type Authenticate = (keyText: string) => TE.TaskEither<InvalidApiKey | Unavailable, Caller>

const refused = (): InvalidApiKey => ({ _tag: 'InvalidApiKey' })

/**
 * Tells whose key a text is. A text that is not one good key is `InvalidApiKey`, whatever is wrong with it (RFC 6750 §3.1).
 *
 * @example
 * const ports = { ...makeMemoryStore({ isRelayed: false }), clock: systemClock, crypto: nodeCrypto }
 * await authenticate(ports)('no key')() // => E.left({ _tag: 'InvalidApiKey' })
 */
export const authenticate = (ports: Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>): Authenticate => {
  const isGood = (key: ApiKey, keyText: string): boolean =>
    ports.crypto.isEqual(ports.crypto.sha256(keyText), key.hash) && isLive(key, ports.clock.now())

  /** Starts to note the use. No caller waits for this write, and none is refused if it fails. */
  const noteUse =
    (key: ApiKey): IO<void> =>
    () => {
      const now = ports.clock.now()
      if (!isUseWorthNoting(key, now)) return
      ports.apiKeys
        .change(key.id, { lastUsedAt: O.some(now) })()
        .catch(() => {})
    }

  return (keyText) =>
    pipe(
      keyIdOf(keyText),
      TE.fromOption(refused),
      TE.flatMap(ports.apiKeys.find),
      TE.map(O.filter((key) => isGood(key, keyText))),
      TE.flatMap(TE.fromOption(refused)),
      TE.tapIO(noteUse),
      TE.map(({ id, lineage, scopes }) => ({ keyId: id, lineage, scopes })),
    )
}
