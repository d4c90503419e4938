import fc from 'fast-check'
import { describe } from 'vitest'
import { Count, Flag, oneOf, Text } from '../../../src/domain/codecs/guarded.js'
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

describe('Flag', () => {
  codecSuite({
    name: 'Flag',
    codec: Flag,
    values: () => fc.boolean(),
    refused: ['true', 0, 1, null, undefined].map((input) => [input, whole('must be true or false')] as const),
  })
})

describe('Text', () => {
  codecSuite({
    name: 'Text',
    codec: Text,
    values: () => fc.string(),
    refused: [1, null, undefined, ['a'], Object('a')].map((input) => [input, whole('must be a string')] as const),
  })
})

describe('oneOf', () => {
  codecSuite({
    name: 'Size',
    codec: oneOf('Size', ['small', 'big']),
    values: () => fc.constantFrom('small', 'big'),
    refused: ['Small', 'small,big', '', 0, null, undefined].map(
      (input) => [input, whole('must be one of small, big')] as const,
    ),
  })
})
