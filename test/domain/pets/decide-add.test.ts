import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { decideAdd, heldAt } from '../../../src/domain/pets/decide-add.js'
import { held, numbered, record } from '../../../src/testing/samples.js'

const holder = { petId: 1, expiresAt: 2_000 }

describe('heldAt', () => {
  it('returns the holder until its key expires, not at that instant', () => {
    expect(heldAt(O.some(holder), 1_999)).toStrictEqual(O.some(holder))
    expect(heldAt(O.some(holder), 2_000)).toStrictEqual(O.none)
    expect(heldAt(O.none, 0)).toStrictEqual(O.none)
  })
})

describe('decideAdd', () => {
  const at = (time: number) => record(numbered(2), held('a', 'k', time + 1_000), time)

  it.each([
    ['of a new key', 1_000, O.none],
    ['of a key that has expired', 2_000, O.some(holder)],
  ])('adds the pet %s', (_, time, found) => {
    expect(decideAdd(at(time), { isIdTaken: false, holder: found })).toStrictEqual({ _tag: 'Added' })
  })

  it('names the holder of the key at the time of the event', () => {
    const decision = decideAdd(at(1_999), { isIdTaken: false, holder: O.some(holder) })
    expect(decision).toStrictEqual({ _tag: 'KeyTaken', by: holder })
  })

  it('refuses an id that is in use, whoever holds the key', () => {
    for (const found of [O.none, O.some(holder)]) {
      expect(decideAdd(at(1_000), { isIdTaken: true, holder: found })).toStrictEqual({ _tag: 'IdTaken' })
    }
  })
})
