// The rest of a pet's document: the state of its event, and its idempotency key.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { Flag, Text } from '../../../domain/codecs/guarded.js'
import { struct } from '../../../domain/codecs/struct.js'
import type { Damage } from '../../../ports/damage-report.js'
import type { HeldIdempotencyKey } from '../../../ports/pet-repository.js'
import { damageOf } from './damage.js'
import { StoredCount } from './stored-count.js'
import { StoredInstant } from './stored-instant.js'

const StoredUnsent = struct(
  'StoredUnsent',
  {
    unsent: struct('Unsent', { parked: Flag, failures: StoredCount, dueAt: StoredInstant }, { reason: Text }),
  },
  {},
)

const StoredHeldKey = struct(
  'StoredHeldKey',
  { idempotency: struct('Idempotency', { apiKeyId: Text, key: Text, expiresAt: StoredInstant }, {}) },
  {},
)

/** The state of an event that is not sent. */
export const decodeUnsent = (document: unknown) =>
  pipe(
    StoredUnsent.decode(document),
    E.map(({ unsent }) => unsent),
  )

const NEW = { parked: false, reason: undefined, failures: 0, dueAt: 0 } as const

/** The same; a state that cannot be decoded counts as new, because a lost event is worse than one sent twice. */
export const unsentOf = (document: unknown) =>
  pipe(
    decodeUnsent(document),
    E.getOrElseW(() => NEW),
  )

/** The idempotency key that the pet holds, expired or not. */
export const decodeHeldKey = (document: unknown): E.Either<Damage, HeldIdempotencyKey> =>
  pipe(
    StoredHeldKey.decode(document),
    E.bimap(damageOf('idempotency key', document), ({ idempotency: { apiKeyId, key, expiresAt } }) => ({
      lineage: apiKeyId,
      key,
      expiresAt,
    })),
  )
