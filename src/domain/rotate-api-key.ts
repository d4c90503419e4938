// Replaces an API key by a successor with the same name, scopes and lineage. During an overlap both are valid.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../ports/index.js'
import { type ApiKey, isLive } from './api-key.js'
import { type IssuedApiKey, issueApiKey } from './create-api-key.js'
import type { ApiKeyNotFound, ApiKeyReplaced, Unavailable } from './errors.js'

export interface RotateApiKeyInput {
  readonly id: string
  /** Milliseconds for which the old key lives on; never longer than it would have without this. */
  readonly overlapMs: number
}

export type RotateApiKey = (
  input: RotateApiKeyInput,
) => TE.TaskEither<ApiKeyNotFound | ApiKeyReplaced | Unavailable, IssuedApiKey>

/**
 * Makes a successor. `ApiKeyNotFound` if no key has the id or it is dead already,
 * `ApiKeyReplaced` if it has a successor: two would be good where one was meant, and the second would end with the overlap.
 *
 * @example
 * const ports = { ...makeMemoryStore({ isRelayed: false }), clock: systemClock, crypto: nodeCrypto }
 * await rotateApiKey(ports)({ id: 'x', overlapMs: 86_400_000 })() // => E.left({ _tag: 'ApiKeyNotFound', id: 'x' })
 */
export const rotateApiKey = (ports: Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>): RotateApiKey => {
  const issue = issueApiKey(ports)

  // the successor lives as long as the old key was meant to from its own creation
  const succeed = (old: ApiKey) =>
    issue(
      {
        name: old.name,
        scopes: old.scopes,
        lifetimeMs: pipe(
          old.expiresAt,
          O.map((end) => end - old.createdAt),
        ),
      },
      O.some(old.lineage),
    )

  const retire = (old: ApiKey, successor: ApiKey, end: number) =>
    ports.apiKeys.change(old.id, {
      successor: O.some(successor.id),
      expiresAt: O.some(O.isSome(old.expiresAt) ? Math.min(old.expiresAt.value, end) : end),
    })

  const replaced = ({ id, successor }: ApiKey): E.Either<ApiKeyReplaced, unknown> =>
    O.isSome(successor) ? E.left({ _tag: 'ApiKeyReplaced', id, successor: successor.value }) : E.right(undefined)

  return ({ id, overlapMs }) =>
    pipe(
      ports.apiKeys.find(id),
      TE.map(O.filter((key) => isLive(key, ports.clock.now()))),
      TE.flatMap(TE.fromOption((): ApiKeyNotFound => ({ _tag: 'ApiKeyNotFound', id }))),
      TE.tap((old) => TE.fromEither(replaced(old))),
      TE.flatMap((old) =>
        pipe(
          succeed(old),
          TE.tap(({ key }) => retire(old, key, ports.clock.now() + overlapMs)),
        ),
      ),
    )
}
