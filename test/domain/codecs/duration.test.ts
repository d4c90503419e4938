import fc from 'fast-check'
import { describe } from 'vitest'
import { DurationMs } from '../../../src/domain/codecs/duration.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('DurationMs', () => {
  codecSuite({
    name: 'DurationMs',
    codec: DurationMs,
    values: () => fc.oneof(fc.integer({ min: 0, max: 3_155_760_000_000 }), fc.constantFrom(0, 3_155_760_000_000)),
    refused: [-1, 0.5, 3_155_760_000_001, Number.NaN, Number.POSITIVE_INFINITY, '1', 1n, null].map(
      (input) => [input, whole('must be an integer of milliseconds from 0 to 3155760000000')] as const,
    ),
  })
})
