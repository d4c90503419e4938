import { describe, expect, it } from 'vitest'
import { Count, LastId, Sha256Text } from '../../../src/domain/archive/wire-codecs.js'
import { MAX_PET_ID } from '../../../src/domain/pets/pet.js'

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
