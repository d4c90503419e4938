// Ends API keys. Revokes a key, or replaces it with a successor of the same name, scopes and lineage, both valid during
// an overlap. Ended keys stay in the store, to explain refused requests, until they are pruned.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import { DurationMs, type Instant, PrintableText } from '../codecs/scalar.js'
import { inputFaults } from '../codecs/struct.js'
import {
  type ApiKeyNotFound,
  type ApiKeyReplaced,
  type Unavailable,
  unavailable,
  type ValidationFailed,
} from '../errors.js'
import { type ApiKey, isLive } from './api-key.js'
import { drawKey, type IssuedApiKey } from './create-api-key.js'

/** The key with this id, even if it is revoked or expired. Needs no look-up for a text that cannot be an id. */
export const findApiKey = (
  { apiKeys }: Pick<Ports, 'apiKeys'>,
  id: string,
): TE.TaskEither<Unavailable, O.Option<ApiKey>> => (PrintableText.is(id) ? apiKeys.find(id) : TE.right(O.none))

const notFound = (id: string) => (): ApiKeyNotFound => ({ _tag: 'ApiKeyNotFound', id })

/** Revokes a key permanently. `ApiKeyNotFound` if no key has the id. */
export const revokeApiKey =
  (ports: Pick<Ports, 'apiKeys' | 'clock'>) =>
  (id: string): TE.TaskEither<ApiKeyNotFound | Unavailable, ApiKey> =>
    pipe(
      findApiKey(ports, id),
      // keeps the time of the first revocation
      TE.flatMap((found) =>
        O.isNone(found) || O.isSome(found.value.revokedAt)
          ? TE.right(found)
          : ports.apiKeys.change(id, { revokedAt: O.some(ports.clock.now()) }),
      ),
      TE.flatMap(TE.fromOption(notFound(id))),
    )

export interface RotateApiKeyInput {
  readonly id: string
  /** Milliseconds for which the old key stays valid, at most until its own expiry. */
  readonly overlapMs: DurationMs
}

type RotationFailed = ValidationFailed | ApiKeyNotFound | ApiKeyReplaced | Unavailable

const overlapFaults = inputFaults<Pick<RotateApiKeyInput, 'overlapMs'>>({ overlapMs: DurationMs })

/**
 * Revokes a successor that nobody got, and restores the old key unless another rotation has replaced it. Restores
 * first: a failure in between must not leave an expiring key without a usable successor.
 */
const withdrawRotation =
  ({ apiKeys, clock }: Pick<Ports, 'apiKeys' | 'clock'>) =>
  (replaced: ApiKey, key: ApiKey): TE.TaskEither<Unavailable, void> =>
    pipe(
      apiKeys.find(replaced.id),
      TE.flatMap((found) =>
        O.exists(({ successor }: ApiKey) => O.isSome(successor) && successor.value === key.id)(found)
          ? apiKeys.change(replaced.id, { successor: O.none, expiresAt: replaced.expiresAt })
          : TE.right(O.none),
      ),
      TE.flatMap(() => apiKeys.change(key.id, { revokedAt: O.some(clock.now()) })),
      TE.map(() => undefined),
    )

/**
 * Creates a successor. `ValidationFailed` if the overlap is out of bounds; `ApiKeyNotFound` if no live key has the id;
 * `ApiKeyReplaced` if the key already has a successor, because a second one would leave two valid keys.
 */
export const rotateApiKey = (ports: Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>) => {
  // the successor gets the same lifetime as the old key
  const draw = ({ name, scopes, createdAt, expiresAt, lineage }: ApiKey) =>
    drawKey(ports, { name, scopes, lifetimeMs: O.map((end: Instant) => end - createdAt)(expiresAt) }, O.some(lineage))

  /** The live key. Fails if there is none or it was already replaced. */
  const rotatable = (id: string) =>
    pipe(
      findApiKey(ports, id),
      TE.map(O.filter((key) => isLive(key, ports.clock.now()))),
      TE.flatMap(TE.fromOption(notFound(id))),
      TE.tap(({ successor }) =>
        O.isNone(successor)
          ? TE.right(undefined)
          : TE.left<ApiKeyReplaced>({ _tag: 'ApiKeyReplaced', id, successor: successor.value }),
      ),
    )

  /** If another process has rotated or revoked the old key, fails as `rotatable` does. */
  const retire = (old: ApiKey, successor: ApiKey, end: Instant) =>
    pipe(
      ports.apiKeys.change(old.id, {
        successor: O.some(successor.id),
        expiresAt: O.some(O.isSome(old.expiresAt) ? Math.min(old.expiresAt.value, end) : end),
      }),
      TE.tap((changed) => (O.isSome(changed) ? TE.right(undefined) : TE.flatMap(incomplete)(rotatable(old.id)))),
    )

  const incomplete = ({ id }: ApiKey) => TE.left(unavailable(new Error(`key ${id} could not be rotated`)))

  /** Adds the successor first, because no port writes two keys at once: a key must not expire without a successor. */
  const replace = (old: ApiKey, { key, text }: IssuedApiKey, overlapMs: DurationMs) =>
    pipe(
      ports.apiKeys.add(key),
      TE.flatMap(() => retire(old, key, key.createdAt + overlapMs)),
      TE.map(() => ({ key, text })),
      // reports why the rotation failed, even if this fails, too
      TE.tapError(() => TE.fromTask(withdrawRotation(ports)(old, key))),
    )

  return ({ id, overlapMs }: RotateApiKeyInput): TE.TaskEither<RotationFailed, IssuedApiKey> => {
    const faults = overlapFaults({ overlapMs })
    if (faults.length > 0) return TE.left({ _tag: 'ValidationFailed', faults })
    return pipe(
      rotatable(id),
      TE.flatMap((old) => replace(old, draw(old), overlapMs)),
    )
  }
}

export interface PruneApiKeysInput {
  /** Milliseconds since the revocation or the expiry. */
  readonly olderThanMs: DurationMs
}

const ageFaults = inputFaults<PruneApiKeysInput>({ olderThanMs: DurationMs })

/** Removes keys that were revoked or expired longer ago than that, and returns how many. */
export const pruneApiKeys =
  ({ apiKeys, clock }: Pick<Ports, 'apiKeys' | 'clock'>) =>
  ({ olderThanMs }: PruneApiKeysInput): TE.TaskEither<ValidationFailed | Unavailable, number> => {
    const faults = ageFaults({ olderThanMs })
    return faults.length > 0
      ? TE.left({ _tag: 'ValidationFailed', faults })
      : TE.flatMap((now: number) => apiKeys.removeEnded(now - olderThanMs))(TE.fromIO(clock.now))
  }
