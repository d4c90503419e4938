import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import {
  DurationMs,
  Instant,
  InstantFromString,
  Int64,
  int64FromPlainText,
  MAX_INT64,
  MIN_INT64,
} from '../../../src/domain/codecs/scalar.js'
import { instant, int64 } from '../../../src/testing/arbitraries.js'
import { codecSuite, sharing, whole } from '../../support/domain/codec-suite.js'

const RULE = 'must be an integer from -9223372036854775808 to 9223372036854775807'

describe('Int64', () => {
  codecSuite({
    name: 'Int64',
    codec: Int64,
    values: int64,
    refused: [
      ...sharing(RULE, [MAX_INT64 + 1n, MIN_INT64 - 1n, 2 ** 53, -(2 ** 53), 1.5, Number.NaN]),
      ...sharing(RULE, [Number.POSITIVE_INFINITY, true, null, undefined, [1n], {}]),
      ['1', whole(`${RULE}, not a string`)],
    ],
  })

  it('decodes a safe integer as a bigint', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(Int64.decode(value)).toStrictEqual(E.right(BigInt(value)))
        expect(Int64.is(value)).toBe(false)
      }),
    )
    expect(Int64.decode(-0)).toStrictEqual(E.right(0n))
  })
})

describe('int64FromPlainText', () => {
  it('reads the plain form of every int64', () => {
    fc.assert(
      fc.property(int64(), (value) => {
        expect(int64FromPlainText(String(value))).toStrictEqual(O.some(value))
      }),
    )
  })

  it.each([
    ...['', '-', '-0', '01', '+1', '1.0', '1e1', ' 1', '1\n', '0x1', '\uff11'],
    ...['9223372036854775808', '-9223372036854775809'],
  ])('refuses %j', (text) => {
    expect(int64FromPlainText(text)).toStrictEqual(O.none)
  })
})

const LAST_DATE = 8_640_000_000_000_000
const anyDate = () =>
  fc.oneof(instant(), fc.integer({ min: -LAST_DATE, max: LAST_DATE }), fc.constantFrom(LAST_DATE, -LAST_DATE))

describe('Instant', () => {
  codecSuite({
    name: 'Instant',
    codec: Instant,
    values: anyDate,
    refused: sharing('must be an integer of milliseconds since 1970', [
      ...[LAST_DATE + 1, -LAST_DATE - 1, 0.5, Number.NaN, '0', 0n, null, new Date(0)],
    ]),
  })
})

describe('InstantFromString', () => {
  codecSuite({
    name: 'InstantFromString',
    codec: InstantFromString,
    values: anyDate,
    refused: sharing('must be a time like 2026-11-21T09:30:00Z', [
      ...['', 'now', '2026-11-21', '2026-11-21T09:30Z', '2026-11-21T09:30:00', '2026-11-21 09:30:00Z'],
      ...['2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-11-21T24:00:00Z', '2026-11-21T09:30:00.Z'],
      ...['12026-11-21T09:30:00Z', '+999999-01-01T00:00:00Z', '2026-11-21T09:30:00Z\n', ' 2026-11-21T09:30:00Z'],
      null,
    ]),
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

describe('DurationMs', () => {
  codecSuite({
    name: 'DurationMs',
    codec: DurationMs,
    values: () => fc.oneof(fc.integer({ min: 0, max: 3_155_760_000_000 }), fc.constantFrom(0, 3_155_760_000_000)),
    refused: sharing('must be an integer of milliseconds from 0 to 3155760000000', [
      ...[-1, 0.5, 3_155_760_000_001, Number.NaN, '1', 1n, null],
    ]),
  })
})
