import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeTurns } from '../../../../src/adapters/http/server/connection.js'
import { range } from '../../../../src/testing/samples.js'

it('fewer requests begin after long turns, and at least one', async () => {
  const inTurn = makeTurns()
  for (const _ of range(1, 8)) {
    inTurn(() => {
      for (const end = performance.now() + 60; performance.now() < end; );
    })
    await nextTurn()
  }
  let begun = 0
  for (const _ of range(1, 3)) inTurn(() => (begun += 1))
  expect(begun).toBe(1)
})

it('64 requests at most begin in one turn of the event loop, and all of them in order', async () => {
  const inTurn = makeTurns()
  const begun: number[] = []
  for (const at of range(1, 200)) inTurn(() => begun.push(at))
  expect(begun).toStrictEqual(range(1, 64))
  for (let before = 64; before < 200; before = begun.length) {
    await nextTurn()
    expect(begun.length - before).toBeLessThanOrEqual(64)
  }
  expect(begun).toStrictEqual(range(1, 200))
})
