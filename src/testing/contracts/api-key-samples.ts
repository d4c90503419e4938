// API keys for the suites and for tests.
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../domain/api-keys/api-key.js'

export const anyApiKey: ApiKey = {
  id: 'aaaaaaaaaaa',
  name: O.none,
  scopes: ['pets:read'],
  hash: '0'.repeat(64),
  createdAt: 5_000,
  expiresAt: O.none,
  revokedAt: O.none,
  lastUsedAt: O.none,
  successor: O.none,
  lineage: 'aaaaaaaaaaa',
}

/** An older key, with every member. */
export const fullApiKey: ApiKey = {
  id: 'bbbbbbbbbbb',
  name: O.some('a "name" \u{1f436}'),
  scopes: ['orders:read', 'pets:write', 'pets:read'],
  hash: 'f'.repeat(64),
  createdAt: 4_000,
  expiresAt: O.some(253_402_300_799_999),
  revokedAt: O.some(6_000),
  lastUsedAt: O.some(0),
  successor: O.some('aaaaaaaaaaa'),
  lineage: 'ccccccccccc',
}
