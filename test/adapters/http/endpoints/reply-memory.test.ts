import { expect, it } from 'vitest'
import { makeReplyMemory } from '../../../../src/adapters/http/endpoints/reply-memory.js'
import type { Pet } from '../../../../src/domain/pets/pet.js'
import { numbered, range } from '../../../../src/testing/samples.js'

const scene = () => {
  const remember = makeReplyMemory(3)
  let made = 0
  const ask = (request: string, pets: readonly Pet[]): string =>
    remember(request, pets, () => {
      made += 1
      return { etag: String(made), reply: { status: 200, headers: [] } }
    }).etag
  return ask
}

const [one, two] = [numbered(1), numbered(2)]

it.each<readonly [what: string, request: string, pets: readonly Pet[], isKept: boolean]>([
  ['the same request for the same pets', 'a', [one, two], true],
  ['the same request for equal pets', 'a', [{ ...one }, { ...two }], true],
  ['another request', 'b', [one, two], false],
  ['fewer pets', 'a', [one], false],
  ['more pets', 'a', [one, two, numbered(3)], false],
  ['another order', 'a', [two, one], false],
  ['a pet that differs only in its id', 'a', [one, { ...two, id: 3n }], false],
  ['a pet that differs only in its name', 'a', [one, { ...two, name: 'Tom' }], false],
])('a reply is kept for %s: %s', (_, request, pets, isKept) => {
  const ask = scene()
  expect(ask('a', [one, two])).toBe('1')
  expect(ask(request, pets)).toBe(isKept ? '1' : '2')
})

it('a reply is forgotten after as many others as are kept', () => {
  const ask = scene()
  for (const id of range(1, 3)) ask(String(id), [one])
  expect(ask('1', [one])).toBe('1')
  ask('4', [one])
  expect(ask('1', [one])).toBe('5')
})
