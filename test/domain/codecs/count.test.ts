import fc from 'fast-check'
import { describe } from 'vitest'
import { Count } from '../../../src/domain/codecs/count.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('Count', () => {
  codecSuite({
    name: 'Count',
    codec: Count,
    values: () => fc.maxSafeNat(),
    refused: [-1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '0', 0n, null, undefined].map(
      (input) => [input, whole('must be an integer from 0')] as const,
    ),
  })
})
