import fc from 'fast-check'
import { describe } from 'vitest'
import { InstantText, LastId, Sha256 } from '../../../src/domain/archive/archive-line.js'
import { MAX_PET_ID } from '../../../src/domain/pets/pet.js'
import { instant, petId } from '../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('LastId', () => {
  const RULE = 'must be an integer from 0 to 9007199254740991'
  codecSuite({
    name: 'LastId',
    codec: LastId,
    values: () => fc.oneof(petId(), fc.constantFrom(0n, 1n, MAX_PET_ID)),
    refused: [
      ...[-1n, -1, MAX_PET_ID + 1n, 2n ** 64n, 1.5, null].map((input) => [input, whole(RULE)] as const),
      ['0', whole(`${RULE}, not a string`)],
    ],
  })
})

describe('Sha256', () => {
  codecSuite({
    name: 'Sha256',
    codec: Sha256,
    values: () => fc.stringMatching(/^[0-9a-f]{64}$/),
    refused: ['', '0'.repeat(63), '0'.repeat(65), 'F'.repeat(64), 'g'.repeat(64), `${'0'.repeat(64)}\n`, 7, null].map(
      (input) => [input, whole('must be a SHA-256 in hexadecimal')] as const,
    ),
  })
})

describe('InstantText', () => {
  const LAST_DATE = 8_640_000_000_000_000
  codecSuite({
    name: 'InstantText',
    codec: InstantText,
    values: () => fc.oneof(instant(), fc.integer({ min: -LAST_DATE, max: LAST_DATE })),
    refused: [
      ...['', 'now', '2026-11-22', '2026-11-22T09:30:00Z', '2026-11-22T10:30:00.000+01:00', '2026-02-30T00:00:00.000Z'],
      ...['1970-01-01T00:00:00.000Z\n', Number.NaN, 1.5, LAST_DATE + 1, null],
    ].map((input) => [input, whole('must be a UTC time like 2026-11-22T09:30:00.000Z')] as const),
  })
})
