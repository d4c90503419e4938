import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Count, InstantText, LastId, Sha256Text } from '../../../src/domain/archive/wire-codecs.js'
import { MAX_PET_ID } from '../../../src/domain/pets/pet.js'
import { instant } from '../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('the codecs of an export', () => {
  it.each([
    [LastId, [0n, MAX_PET_ID], [-1n, MAX_PET_ID + 1n, 0, '0']],
    [Count, [0, 7], [-1, 1.5, 2 ** 53, '0', 0n]],
    [Sha256Text, ['0'.repeat(64)], ['0'.repeat(63), 'F'.repeat(64), 7]],
  ])('know their own values: %#', (codec, values, others) => {
    expect(values.filter((value) => !codec.is(value))).toStrictEqual([])
    expect(others.filter((value) => codec.is(value))).toStrictEqual([])
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
