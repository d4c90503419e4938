// The rules of ids, keys, pages and orders that all stores share; their suites try them through each store.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { byAge } from '../../src/domain/api-keys/api-key.js'
import { decideAdd, idAbove } from '../../src/domain/pets/decide-add.js'
import { MAX_PET_ID } from '../../src/domain/pets/pet.js'
import { ALL_PETS, Limit, matchesFilter, pageOf } from '../../src/domain/pets/pet-query.js'
import { apiKeyOf, event, numbered, recordOf } from '../../src/testing/samples.js'

const NO_MORE = E.left({ _tag: 'Unavailable', cause: new Error('there are no more ids') })

it.each([
  [1n, 5n, E.right(5n)],
  [5n, 5n, E.right(6n)],
  [7n, 5n, E.right(8n)],
  [MAX_PET_ID - 1n, 1n, E.right(MAX_PET_ID)],
  [MAX_PET_ID, 1n, NO_MORE],
])('above %s, the proposed id %s becomes another one only if it must', (last, proposed, wanted) => {
  expect(idAbove(last, proposed)).toEqual(wanted)
})

it('a pet is added with its event as it is, under a higher id, or not while another one holds its key', () => {
  const record = recordOf(event(5))
  const free = { lastId: 4n, holder: O.none }
  const same = decideAdd(record, free)
  expect(E.isRight(same) && same.right._tag === 'Add' && same.right.event).toBe(record.event)
  const raised = { ...record.event, pet: { ...record.event.pet, id: 10n } }
  expect(decideAdd(record, { ...free, lastId: 9n })).toEqual(E.right({ _tag: 'Add', event: raised }))
  const by = { expiresAt: record.event.time + 1 }
  expect(decideAdd(record, { ...free, holder: O.some(by) })).toEqual(E.right({ _tag: 'KeyTaken', by }))
  const expired = { expiresAt: record.event.time }
  expect(decideAdd(record, { ...free, holder: O.some(expired) })).toMatchObject({ right: { _tag: 'Add' } })
})

it.each([
  [[], [], O.none],
  [[3], [3], O.none],
  [[3, 2], [3, 2], O.none],
  [[3, 2, 1], [3, 2], O.some(2n)],
])('a page of two from %j', (found, pets, next) => {
  expect(
    pageOf(
      found.map((id) => numbered(id)),
      2,
    ),
  ).toEqual({ pets: pets.map((id) => numbered(id)), next })
})

it('a limit is an integer from 1 to 100, and a filter of ids selects them', () => {
  expect([0, 1, 100, 101, 1.5, '5', [5]].map(Limit.is)).toEqual([false, true, true, false, false, false, false])
  const matches = matchesFilter({ ...ALL_PETS, ids: O.some([2n]) })
  expect([numbered(1), numbered(2)].map(matches)).toEqual([false, true])
})

it('keys are listed by age, and those of one instant by id', () => {
  const keys = [apiKeyOf('c', { createdAt: 1 }), apiKeyOf('a', { createdAt: 2 }), apiKeyOf('b', { createdAt: 1 })]
  const [c, a, b] = keys
  expect(keys.toSorted(byAge)).toEqual([b, c, a])
  expect(keys.toReversed().toSorted(byAge)).toEqual([b, c, a])
  const ofOne = apiKeyOf('a', { createdAt: 1 })
  expect([byAge(ofOne, ofOne), Math.sign(byAge(ofOne, apiKeyOf('b', { createdAt: 1 })))]).toEqual([0, -1])
})
