import fc from 'fast-check'
import { describe } from 'vitest'
import { Text } from '../../../src/domain/codecs/text.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('Text', () => {
  codecSuite({
    name: 'Text',
    codec: Text,
    values: () => fc.string(),
    refused: [1, null, undefined, ['a'], Object('a')].map((input) => [input, whole('must be a string')] as const),
  })
})
