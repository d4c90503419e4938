import * as O from 'fp-ts/lib/Option.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { SCOPES, type Scope } from '../../../src/domain/api-keys/api-key.js'
import { createApiKey, type IssuedApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import type { Ports } from '../../../src/ports/index.js'
import { succeed } from '../../../src/testing/samples.js'

type KeyPorts = Pick<Ports, 'apiKeys'> & Partial<Pick<Ports, 'clock' | 'crypto'>>

/** By default a key with all scopes that never expires. */
export const issueApiKey = (
  { apiKeys, clock = systemClock, crypto = nodeCrypto }: KeyPorts,
  scopes: readonly Scope[] = SCOPES,
  lifetimeMs?: number,
): Promise<IssuedApiKey> =>
  succeed(createApiKey({ apiKeys, clock, crypto })({ name: O.none, scopes, lifetimeMs: O.fromNullable(lifetimeMs) }))
