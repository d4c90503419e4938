// Revokes an API key.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import { PrintableText } from '../codecs/guarded.js'
import type { ApiKeyNotFound, Unavailable } from '../errors.js'
import type { ApiKey } from './api-key.js'

export type RevokeApiKey = (id: string) => TE.TaskEither<ApiKeyNotFound | Unavailable, ApiKey>

/**
 * Revokes a key now and for good. `ApiKeyNotFound` if no key has the id.
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * await revokeApiKey(ports)('x')() // => E.left({ _tag: 'ApiKeyNotFound', id: 'x' })
 */
export const revokeApiKey =
  (ports: Pick<Ports, 'apiKeys' | 'clock'>): RevokeApiKey =>
  (id) =>
    pipe(
      PrintableText.is(id) ? ports.apiKeys.find(id) : TE.right(O.none),
      // a second revocation keeps the time of the first
      TE.flatMap((found) =>
        O.isNone(found) || O.isSome(found.value.revokedAt)
          ? TE.right(found)
          : ports.apiKeys.change(id, { revokedAt: O.some(ports.clock.now()) }),
      ),
      TE.flatMap(TE.fromOption((): ApiKeyNotFound => ({ _tag: 'ApiKeyNotFound', id }))),
    )
