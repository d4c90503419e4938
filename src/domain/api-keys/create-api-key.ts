// Creates an API key. Its text is returned once and never stored.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { IO } from 'fp-ts/lib/IO.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import { DURATION_RULE, DurationMs } from '../codecs/instant.js'
import { type Fault, faultsOf } from '../codecs/struct.js'
import type { Unavailable, ValidationFailed } from '../errors.js'
import { PetName } from '../pets/pet.js'
import { type ApiKey, SCOPES, Scope } from './api-key.js'
import { KEY_ID_BYTES, keyIdFrom, keyTextFrom, SECRET_BYTES } from './api-key-text.js'

export interface CreateApiKeyInput {
  /** Under the rules of a pet's name. */
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

export type CreateApiKey = (input: CreateApiKeyInput) => TE.TaskEither<ValidationFailed | Unavailable, IssuedApiKey>

/** A key that is not stored yet. A successor joins the given lineage; any other key starts its own. */
const drawKey =
  (
    ports: Pick<Ports, 'clock' | 'crypto'>,
    { name, scopes, lifetimeMs }: CreateApiKeyInput,
    lineage: O.Option<string>,
  ): IO<IssuedApiKey> =>
  () => {
    const createdAt = ports.clock.now()
    const id = keyIdFrom(ports.crypto.randomBytes(KEY_ID_BYTES))
    const text = keyTextFrom(id, ports.crypto.randomBytes(SECRET_BYTES))
    const expiresAt = pipe(
      lifetimeMs,
      O.map((milliseconds) => createdAt + milliseconds),
    )
    const hash = ports.crypto.sha256(text)
    const unused = { revokedAt: O.none, lastUsedAt: O.none, successor: O.none }
    const key = { id, name, scopes, hash, createdAt, expiresAt, ...unused, lineage: O.getOrElse(() => id)(lineage) }
    return { key, text }
  }

type IssuingPorts = Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>

export const issueApiKey =
  (ports: IssuingPorts) =>
  (input: CreateApiKeyInput, lineage: O.Option<string>): TE.TaskEither<Unavailable, IssuedApiKey> =>
    pipe(
      TE.fromIO(drawKey(ports, input, lineage)),
      TE.tap(({ key }) => ports.apiKeys.add(key)),
    )

/** Creates the first key of a store; none if the store has a key. */
export const issueFirstApiKey =
  (ports: IssuingPorts) =>
  (input: CreateApiKeyInput): TE.TaskEither<Unavailable, O.Option<IssuedApiKey>> =>
    pipe(
      TE.fromIO(drawKey(ports, input, O.none)),
      TE.flatMap((issued) =>
        pipe(
          ports.apiKeys.addFirst(issued.key),
          TE.map((isAdded) => (isAdded ? O.some(issued) : O.none)),
        ),
      ),
    )

const nameFaults = (name: string): readonly Fault[] => {
  const decoded = PetName.decode(name)
  return E.isRight(decoded) ? [] : faultsOf(decoded.left).map(({ reason }) => ({ pointer: '/name', reason }))
}

const faultsIn = ({ name, scopes, lifetimeMs }: CreateApiKeyInput): readonly Fault[] => [
  ...(O.isSome(name) ? nameFaults(name.value) : []),
  ...(scopes.length > 0 && scopes.every(Scope.is)
    ? []
    : [{ pointer: '/scopes', reason: `must be one or more of ${SCOPES.join(', ')}` }]),
  ...(O.isNone(lifetimeMs) || DurationMs.is(lifetimeMs.value)
    ? []
    : [{ pointer: '/lifetimeMs', reason: DURATION_RULE }]),
]

/**
 * Creates a key of 32 random bytes and stores its SHA-256. `ValidationFailed` if there is no scope, or a name, a scope or a
 * lifetime that no key can have.
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * const issued = await createApiKey(ports)({ name: O.some('shop'), scopes: ['pets:read'], lifetimeMs: O.none })()
 * E.isRight(issued) && issued.right.text.startsWith('ast_live_') // => true
 */
export const createApiKey = (ports: Pick<Ports, 'apiKeys' | 'clock' | 'crypto'>): CreateApiKey => {
  const issue = issueApiKey(ports)
  return (input) => {
    const faults = faultsIn(input)
    return faults.length > 0 ? TE.left({ _tag: 'ValidationFailed', faults }) : issue(input, O.none)
  }
}
