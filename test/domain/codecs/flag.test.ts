import fc from 'fast-check'
import { describe } from 'vitest'
import { Flag } from '../../../src/domain/codecs/flag.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('Flag', () => {
  codecSuite({
    name: 'Flag',
    codec: Flag,
    values: () => fc.boolean(),
    refused: ['true', 0, 1, null, undefined].map((input) => [input, whole('must be true or false')] as const),
  })
})
