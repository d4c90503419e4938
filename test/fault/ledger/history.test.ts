// The model rejects what a broken store would show, and nothing else.
import { describe, expect, it } from 'vitest'
import { petJson } from '../../../src/domain/pets/pet-json.js'
import { numbered, range } from '../../../src/testing/samples.js'
import { type Attempt, type History, violationsOf, violationsOfWalk } from './history.js'

const pet = (id: number, name = `pet ${id}`) => numbered(id, { name, categoryId: 1n })

const attempt = (id: number, changes: Partial<Attempt> = {}): Attempt => ({
  key: `key ${id}`,
  name: `pet ${id}`,
  start: id * 10,
  end: id * 10 + 5,
  status: 201,
  text: petJson(pet(id)),
  isReplayed: false,
  ...changes,
})

/** Three creates, one after the other. */
const history = (changes: Partial<History> = {}): History => ({
  attempts: range(1, 3).map((id) => attempt(id)),
  followed: [[1n, 2n, 3n]],
  stored: [pet(3), pet(2), pet(1)],
  ...changes,
})

const withAttempts = (...more: readonly Attempt[]) => history({ attempts: [...history().attempts, ...more] })
const late = { start: 90, end: 95 }

describe('the model of a run', () => {
  it.each<readonly [string, History]>([
    ['creates one after the other', history()],
    [
      'retries',
      withAttempts(attempt(2, { ...late, isReplayed: true }), attempt(2, { start: 1, end: 2, status: 0, text: '' })),
    ],
    ['another NewPet under a key', withAttempts(attempt(2, { ...late, name: 'other', status: 422 }))],
    [
      'creates at once, in either order of their ids',
      history({ attempts: [attempt(1, { start: 0, end: 99 }), attempt(2, { start: 0, end: 99 }), attempt(3, late)] }),
    ],
    ['a request that did not arrive in time', withAttempts(attempt(2, { start: 1, end: 2, status: 408, text: '' }))],
    [
      'an attempt that took effect without an answer',
      history({ attempts: [attempt(1), attempt(2, { status: 503 }), attempt(3)] }),
    ],
  ])('takes %s', (_, fits) => {
    expect(violationsOf(fits)).toStrictEqual([])
  })

  it.each<readonly [string, History, RegExp]>([
    ['a lost pet', history({ stored: [pet(3), pet(1)], followed: [[1n, 3n]] }), /key 2: an acknowledged pet is lost/],
    [
      'two pets of one key',
      history({
        attempts: [attempt(1), attempt(2), attempt(3), attempt(4, { key: 'key 2' })],
        stored: [pet(4), ...history().stored],
        followed: [[1n, 2n, 3n, 4n]],
      }),
      /key 2: it has several pets/,
    ],
    [
      'another answer to a retry',
      withAttempts(attempt(2, { ...late, text: petJson(pet(1)) })),
      /key 2: .* was answered/,
    ],
    ['two answers that say that they added', withAttempts(attempt(2, late)), /key 2: 2 answers/],
    ['422 for an honest retry', withAttempts(attempt(2, { ...late, status: 422 })), /key 2: 422 for the pet/],
    ['422 without a pet', withAttempts(attempt(7, { status: 422 })), /key 7: 422 for a key without a pet/],
    [
      'an answer before the request',
      withAttempts(attempt(3, { start: 1, end: 2, name: 'other', status: 422 })),
      /before its pet/,
    ],
    ['an unexpected status', withAttempts(attempt(2, { status: 500 })), /status 500/],
    [
      'a smaller id of a later create',
      history({ attempts: [attempt(1), attempt(2, { start: 40, end: 45 }), attempt(3)] }),
      /id 2 was given after 3/,
    ],
    ['a pet that nobody sent', history({ attempts: [attempt(1), attempt(2)] }), /nobody sent/],
    ['a pet that is stored twice', history({ stored: [pet(3), pet(2), pet(2), pet(1)] }), /a name is stored twice/],
    ['an event that a follower missed', history({ followed: [[1n, 3n]] }), /follower 0 saw 2 of 3 events, not 2/],
    ['an event below a position that was passed', history({ followed: [[1n, 3n, 2n]] }), /out of order/],
    ['an event of no pet', history({ followed: [[1n, 2n, 3n, 4n]] }), /follower 0 saw 4 of 3/],
  ])('rejects %s', (_, broken, violation) => {
    expect(violationsOf(broken).join('\n')).toMatch(violation)
  })
})

describe('the model of a walk', () => {
  it('takes pets that were added meanwhile, and rejects one that is missed, repeated or out of order', () => {
    expect(violationsOfWalk([4n, 3n, 1n], [1n, 3n])).toStrictEqual([])
    expect(violationsOfWalk([4n, 1n], [1n, 3n])).toStrictEqual(['a walk of 2 pets missed 3'])
    expect(violationsOfWalk([3n, 3n, 1n], [1n, 3n])).toHaveLength(1)
    expect(violationsOfWalk([1n, 3n], [1n, 3n])).toHaveLength(1)
  })
})
