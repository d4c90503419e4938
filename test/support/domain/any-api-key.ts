// An API key for tests.
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js'

export const anyApiKey: ApiKey = {
  id: 'aaaaaaaaaaa',
  name: O.none,
  scopes: ['pets:read'],
  hash: '0'.repeat(64),
  createdAt: 0,
  expiresAt: O.none,
  revokedAt: O.none,
  lastUsedAt: O.none,
  successor: O.none,
  lineage: 'aaaaaaaaaaa',
}
