import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../src/domain/errors.js'
import { decideAdd, withId } from '../../../src/domain/pets/decide-add.js'
import { MAX_PET_ID } from '../../../src/domain/pets/pet.js'
import { held, numbered, record } from '../../../src/testing/samples.js'

const holder = { petId: 1, expiresAt: 2_000 }

describe('decideAdd', () => {
  const at = (time: number) => record(numbered(2), held('a', 'k', time + 1_000), time)

  it.each([
    ['of a new key', 1_000, O.none],
    ['of a key that has expired', 2_000, O.some(holder)],
  ])('adds the pet %s', (_, time, found) => {
    const { event } = at(time)
    expect(decideAdd(at(time), { lastId: 1n, holder: found })).toMatchObject(
      E.right({ _tag: 'Add', event: { time, pet: event.pet } }),
    )
  })

  it('names the holder of the key at the time of the event', () => {
    for (const lastId of [1n, 2n, MAX_PET_ID]) {
      const decision = decideAdd(at(1_999), { lastId, holder: O.some(holder) })
      expect(decision).toStrictEqual(E.right({ _tag: 'KeyTaken', by: holder }))
    }
  })

  it.each([
    [1n, 2n],
    [2n, 3n],
    [7n, 8n],
    [MAX_PET_ID - 1n, MAX_PET_ID],
  ])('gives a pet with the id 2 one above the last id %s', (lastId, id) => {
    const one = record(numbered(2))
    const decision = decideAdd(one, { lastId, holder: O.none })
    expect(decision).toStrictEqual(E.right({ _tag: 'Add', event: withId(one.event, id) }))
  })

  it.each([
    [2n, MAX_PET_ID],
    [MAX_PET_ID + 1n, 1n],
  ])('refuses a pet with the id %s after the last id %s: there is none above', (id, lastId) => {
    const decision = decideAdd(record(numbered(id)), { lastId, holder: O.none })
    expect(decision).toStrictEqual(E.left(unavailable(new Error('there are no more ids'))))
  })
})
