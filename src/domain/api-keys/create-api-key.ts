// Creates an API key. Its text is returned once and never stored.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import { DurationMs, guarded } from '../codecs/scalar.js'
import { inputFaults, optionOf } from '../codecs/struct.js'
import type { Unavailable, ValidationFailed } from '../errors.js'
import { PetName } from '../pets/pet.js'
import { type ApiKey, SCOPES, Scope } from './api-key.js'
import { KEY_ID_BYTES, keyIdFrom, keyTextFrom, SECRET_BYTES } from './api-key-text.js'

export interface CreateApiKeyInput {
  /** Same rules as for a pet's name. */
  readonly name: O.Option<string>
  /** At least one. */
  readonly scopes: readonly Scope[]
  /** Milliseconds until the key expires; if absent, it never does. */
  readonly lifetimeMs: O.Option<DurationMs>
}

export interface IssuedApiKey {
  readonly key: ApiKey
  /** The whole key: a secret. Show it once. */
  readonly text: string
}

type IssuingPorts = Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>

/** A key that is not stored yet. A successor joins the given lineage; any other key starts its own. */
export const drawKey = (
  { clock, crypto }: IssuingPorts,
  { name, scopes, lifetimeMs }: CreateApiKeyInput,
  lineage: O.Option<string>,
): IssuedApiKey => {
  const createdAt = clock.now()
  const id = keyIdFrom(crypto.randomBytes(KEY_ID_BYTES))
  const text = keyTextFrom(id, crypto.randomBytes(SECRET_BYTES))
  const expiresAt = O.map((milliseconds: DurationMs) => createdAt + milliseconds)(lifetimeMs)
  const unused = { revokedAt: O.none, lastUsedAt: O.none, successor: O.none }
  const key = { id, name, scopes, createdAt, expiresAt, ...unused, lineage: O.getOrElse(() => id)(lineage) }
  return { key: { ...key, hash: crypto.sha256(text) }, text }
}

/** Creates the first key of a store; none if it has one. Repeat the task after an outage: it adds the same key. */
export const issueFirstApiKey =
  (ports: IssuingPorts) =>
  (input: CreateApiKeyInput): TE.TaskEither<Unavailable, O.Option<IssuedApiKey>> => {
    const issued = drawKey(ports, input, O.none)
    return pipe(
      ports.apiKeys.addFirst(issued.key),
      TE.flatMap(() => ports.apiKeys.find(issued.key.id)),
      TE.map(O.map(() => issued)),
    )
  }

const areScopes = (u: unknown): u is readonly Scope[] => Array.isArray(u) && u.length > 0 && u.every(Scope.is)

const Scopes = guarded('Scopes', areScopes, `must be one or more of ${SCOPES.join(', ')}`)

const faultsIn = inputFaults<CreateApiKeyInput>({
  name: optionOf(PetName),
  scopes: Scopes,
  lifetimeMs: optionOf(DurationMs),
})

/**
 * Creates a key of 32 random bytes and stores its SHA-256. `ValidationFailed` if there is no scope, or a name, a scope
 * or a lifetime that no key can have.
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * const issued = await createApiKey(ports)({ name: O.some('shop'), scopes: ['pets:read'], lifetimeMs: O.none })()
 * E.isRight(issued) && issued.right.text.startsWith('ast_live_') // => true
 */
export const createApiKey =
  (ports: IssuingPorts) =>
  (input: CreateApiKeyInput): TE.TaskEither<ValidationFailed | Unavailable, IssuedApiKey> => {
    const faults = faultsIn(input)
    if (faults.length > 0) return TE.left({ _tag: 'ValidationFailed', faults })
    return pipe(
      TE.fromIO(() => drawKey(ports, input, O.none)),
      TE.tap(({ key }) => ports.apiKeys.add(key)),
    )
  }
