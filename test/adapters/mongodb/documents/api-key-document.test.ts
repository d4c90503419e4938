import fc from 'fast-check'
import { describe } from 'vitest'
import { StoredApiKey } from '../../../../src/adapters/mongodb/api-key-store.js'
import { StoredInstant } from '../../../../src/adapters/mongodb/documents/stored-instant.js'
import { SCOPES } from '../../../../src/domain/api-key.js'
import { instant } from '../../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../../support/codec-suite.js'

describe('StoredInstant', () => {
  codecSuite({
    name: 'StoredInstant',
    codec: StoredInstant,
    values: instant,
    refused: ['2026-11-21', null, new Date(Number.NaN)].map((input) => [input, whole('must be a date')] as const),
  })
})

describe('the document of an API key', () => {
  const good = { _id: 'k', scopes: ['pets:read'], hash: 'h', createdAt: new Date(1) }
  const required = ['_id', 'scopes', 'hash', 'createdAt'] as const
  codecSuite({
    name: 'StoredApiKey',
    codec: StoredApiKey,
    values: () =>
      fc.record(
        {
          _id: fc.string(),
          scopes: fc.subarray([...SCOPES]),
          hash: fc.string(),
          createdAt: instant(),
          name: fc.string(),
          expiresAt: instant(),
          revokedAt: instant(),
          lastUsedAt: instant(),
          successor: fc.string(),
          lineage: fc.string(),
        },
        { requiredKeys: [...required], noNullPrototype: true },
      ),
    refused: [
      [null, whole('must be an object')],
      [{}, required.map((name) => ({ pointer: `/${name}`, reason: 'is required' }))],
      [{ ...good, _id: 7 }, [{ pointer: '/_id', reason: 'is invalid' }]],
      [{ ...good, scopes: 'pets:read' }, [{ pointer: '/scopes', reason: 'is invalid' }]],
      [
        { ...good, scopes: ['pets:eat'] },
        [{ pointer: '/scopes/0', reason: 'must be one of pets:read, pets:write, orders:read' }],
      ],
      [{ ...good, createdAt: '1' }, [{ pointer: '/createdAt', reason: 'must be a date' }]],
      [{ ...good, expiresAt: null }, [{ pointer: '/expiresAt', reason: 'must be a date' }]],
    ],
  })
})
