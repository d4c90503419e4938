import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { DurationMs, Instant, InstantFromString, instantText } from '../../../src/domain/codecs/scalar.js'
import { instant } from '../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

const LAST_DATE = 8_640_000_000_000_000
const anyDate = () =>
  fc.oneof(instant(), fc.integer({ min: -LAST_DATE, max: LAST_DATE }), fc.constantFrom(LAST_DATE, -LAST_DATE))

describe('Instant', () => {
  codecSuite({
    name: 'Instant',
    codec: Instant,
    values: anyDate,
    refused: [LAST_DATE + 1, -LAST_DATE - 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '0', 0n, null, new Date(0)].map(
      (input) => [input, whole('must be an integer of milliseconds since 1970')] as const,
    ),
  })
})

describe('InstantFromString', () => {
  const fault = whole('must be a time like 2026-11-21T09:30:00Z')
  codecSuite({
    name: 'InstantFromString',
    codec: InstantFromString,
    values: anyDate,
    refused: [
      ...['', 'now', '2026-11-21', '2026-11-21T09:30Z', '2026-11-21T09:30:00', '2026-11-21 09:30:00Z'],
      ...['2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-11-21T25:00:00Z', '2026-11-21T09:30:00.Z'],
      ...['12026-11-21T09:30:00Z', '+999999-01-01T00:00:00Z', '2026-11-21T09:30:00Z\n', ' 2026-11-21T09:30:00Z'],
      null,
    ].map((input) => [input, fault] as const),
  })

  it.each<readonly [string, number]>([
    ['1970-01-01T00:00:01Z', 1_000],
    ['1970-01-01T01:00:00+01:00', 0],
    ['1970-01-01T00:00:00.5Z', 500],
    ['1970-01-01T00:00:00.123456789Z', 123],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000],
  ])('reads %s', (text, moment) => {
    expect(InstantFromString.decode(text)).toStrictEqual(E.right(moment))
  })
})

describe('instantText', () => {
  it('formats an instant as RFC 3339 in UTC, to the millisecond', () => {
    expect(instantText(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(instantText(253_402_300_799_999)).toBe('9999-12-31T23:59:59.999Z')
  })
})

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
