import { expect, it } from 'vitest'
import { setBounded } from '../../src/domain/set-bounded.js'

it('evicts the entry that was set least recently, and only if the map is full', () => {
  const map = new Map<string, number>()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    setBounded(map, 3, key, value)
  expect([...map]).toStrictEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ])
  setBounded(map, 3, 'a', 4)
  setBounded(map, 3, 'd', 5)
  expect([...map]).toStrictEqual([
    ['c', 3],
    ['a', 4],
    ['d', 5],
  ])
})
