// Ends API keys: revokes one, or replaces it by a successor with the same name, scopes and lineage. During an overlap both are valid.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import { PrintableText } from '../codecs/guarded.js'
import { DurationMs, type Instant } from '../codecs/instant.js'
import { inputFaults } from '../codecs/struct.js'
import {
  type ApiKeyNotFound,
  type ApiKeyReplaced,
  type Unavailable,
  unavailable,
  type ValidationFailed,
} from '../errors.js'
import { type ApiKey, isLive } from './api-key.js'
import { type IssuedApiKey, issueApiKey } from './create-api-key.js'

export type RevokeApiKey = (id: string) => TE.TaskEither<ApiKeyNotFound | Unavailable, ApiKey>

/** Revokes a key now and for good. `ApiKeyNotFound` if no key has the id. */
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

export interface RotateApiKeyInput {
  readonly id: string
  /** Milliseconds for which the old key stays valid; a rotation never prolongs its life. */
  readonly overlapMs: DurationMs
}

const faultsIn = inputFaults<Pick<RotateApiKeyInput, 'overlapMs'>>({ overlapMs: DurationMs })

export type RotateApiKey = (
  input: RotateApiKeyInput,
) => TE.TaskEither<ValidationFailed | ApiKeyNotFound | ApiKeyReplaced | Unavailable, IssuedApiKey>

/**
 * Creates a successor. `ValidationFailed` if the overlap is out of bounds; `ApiKeyNotFound` if no live key has the id;
 * `ApiKeyReplaced` if the key already has a successor, because a second one would leave two valid keys.
 */
export const rotateApiKey = (ports: Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>): RotateApiKey => {
  const issue = issueApiKey(ports)

  // the successor gets the same lifetime as the old key
  const succeed = ({ name, scopes, createdAt, expiresAt, lineage }: ApiKey) =>
    issue({ name, scopes, lifetimeMs: O.map((end: Instant) => end - createdAt)(expiresAt) }, O.some(lineage))

  /** The live key; not found, or replaced, if it is not to be rotated. */
  const rotatable = (id: string) =>
    pipe(
      PrintableText.is(id) ? ports.apiKeys.find(id) : TE.right(O.none),
      TE.map(O.filter((key) => isLive(key, ports.clock.now()))),
      TE.flatMap(TE.fromOption((): ApiKeyNotFound => ({ _tag: 'ApiKeyNotFound', id }))),
      TE.tap((old) => TE.fromEither(replaced(old))),
    )

  /** If another process has rotated or revoked the old key: revokes the unused successor, and fails as `rotatable` does. */
  const retire = (old: ApiKey, successor: ApiKey, end: Instant) =>
    pipe(
      ports.apiKeys.change(old.id, {
        successor: O.some(successor.id),
        expiresAt: O.some(O.isSome(old.expiresAt) ? Math.min(old.expiresAt.value, end) : end),
      }),
      TE.tap((changed) =>
        O.isSome(changed)
          ? TE.right(undefined)
          : pipe(
              ports.apiKeys.change(successor.id, { revokedAt: O.some(ports.clock.now()) }),
              TE.flatMap(() => rotatable(old.id)),
              TE.flatMap(() => TE.left(unavailable(new Error(`key ${old.id} could not be rotated`)))),
            ),
      ),
    )

  const replaced = ({ id, successor }: ApiKey): E.Either<ApiKeyReplaced, unknown> =>
    O.isSome(successor) ? E.left({ _tag: 'ApiKeyReplaced', id, successor: successor.value }) : E.right(undefined)

  return ({ id, overlapMs }) => {
    const faults = faultsIn({ overlapMs })
    if (faults.length > 0) return TE.left({ _tag: 'ValidationFailed', faults })
    return pipe(
      rotatable(id),
      TE.flatMap((old) =>
        pipe(
          succeed(old),
          TE.tap(({ key }) => retire(old, key, ports.clock.now() + overlapMs)),
        ),
      ),
    )
  }
}
