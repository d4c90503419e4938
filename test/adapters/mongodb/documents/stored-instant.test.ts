import { describe } from 'vitest'
import { StoredInstant } from '../../../../src/adapters/mongodb/documents/stored-instant.js'
import { instant } from '../../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../../support/domain/codec-suite.js'

describe('StoredInstant', () => {
  codecSuite({
    name: 'StoredInstant',
    codec: StoredInstant,
    values: instant,
    refused: ['2026-11-21', null, Number.NaN, 1.5, new Date(Number.NaN)].map(
      (input) => [input, whole('must be a date')] as const,
    ),
  })
})
