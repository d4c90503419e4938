// Makes an API key: its text is handed out once and never kept.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../ports/index.js'
import type { ApiKey, Scope } from './api-key.js'
import { KEY_ID_BYTES, keyIdFrom, keyTextFrom, SECRET_BYTES } from './api-key-text.js'
import type { Unavailable } from './errors.js'

export interface CreateApiKeyInput {
  readonly name: O.Option<string>
  /** What the key may do. */
  readonly scopes: readonly Scope[]
  /** Milliseconds from now to the key's end; without it the key does not expire. */
  readonly lifetime: O.Option<number>
}

export interface IssuedApiKey {
  readonly key: ApiKey
  /** The whole key: a secret, to be shown once. */
  readonly text: string
}

export type CreateApiKey = (input: CreateApiKeyInput) => TE.TaskEither<Unavailable, IssuedApiKey>

/**
 * Makes a key of 32 random bytes and stores its SHA-256; the lifetime is in milliseconds. Fails only as `Unavailable`.
 *
 * @example
 * const ports = { ...makeMemoryStore({ isRelayed: false }), clock: systemClock, crypto: nodeCrypto }
 * const issued = await createApiKey(ports)({ name: O.some('shop'), scopes: ['pets:read'], lifetime: O.none })()
 * E.isRight(issued) && issued.right.text.startsWith('ast_live_') // => true
 */
export const createApiKey = (ports: Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>): CreateApiKey => {
  const issue = ({ name, scopes, lifetime }: CreateApiKeyInput): IssuedApiKey => {
    const createdAt = ports.clock.now()
    const id = keyIdFrom(ports.crypto.randomBytes(KEY_ID_BYTES))
    const text = keyTextFrom(id, ports.crypto.randomBytes(SECRET_BYTES))
    const expiresAt = pipe(
      lifetime,
      O.map((milliseconds) => createdAt + milliseconds),
    )
    const hash = ports.crypto.sha256(text)
    const unused = { revokedAt: O.none, lastUsedAt: O.none, successor: O.none }
    return { key: { id, name, scopes, hash, createdAt, expiresAt, ...unused }, text }
  }

  return (input) =>
    pipe(
      TE.fromIO(() => issue(input)),
      TE.tap(({ key }) => ports.apiKeys.add(key)),
    )
}
