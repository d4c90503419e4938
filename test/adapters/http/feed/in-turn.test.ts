import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { makeInTurn } from '../../../../src/adapters/http/feed/in-turn.js'
import { range } from '../../../../src/testing/samples.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'

const nextTurn = () => vi.runOnlyPendingTimersAsync()

const setUp = () => {
  useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const inTurn = makeInTurn()
  const begun: number[] = []
  return {
    begun,
    /** Each piece takes this long. */
    add: (numbers: readonly number[], milliseconds: number, isNew = false) => {
      for (const number of numbers) {
        const work = async () => {
          begun.push(number)
          now += milliseconds
        }
        void inTurn(work, isNew)
      }
    },
    addEndless: (count: number) => {
      for (const number of range(1, count)) {
        const work = () => {
          begun.push(number)
          return new Promise<void>(() => {})
        }
        void inTurn(work, false)
      }
    },
  }
}

describe('the work of listeners', () => {
  it('is begun in order, and for at most a millisecond of a turn [feed-listeners]', async () => {
    const { begun, add } = setUp()
    add(range(1, 10), 0.4)
    for (const count of [3, 6, 9, 10]) {
      await setImmediate()
      expect(begun).toStrictEqual(range(1, count))
      await nextTurn()
    }
  })

  it('leaves up to three turns in a row to those who come, and then goes on beside them', async () => {
    const { begun, add } = setUp()
    add([1], 1)
    const counts: number[] = []
    for (const number of range(2, 9)) {
      add([number], 1, true)
      await nextTurn()
      counts.push(begun.length)
    }
    expect(counts).toStrictEqual([1, 1, 1, 2, 2, 2, 2, 3])
  })

  it('overlaps if a store is slow: one more per turn, up to ten', async () => {
    const { begun, addEndless } = setUp()
    addEndless(20)
    for (const count of range(1, 12)) {
      await setImmediate()
      expect(begun).toHaveLength(Math.min(count, 10))
      await nextTurn()
    }
  })

  it('that fails makes room for the next', async () => {
    setUp()
    const inTurn = makeInTurn()
    await expect(inTurn(() => Promise.reject(new Error('a defect')), false)).rejects.toThrow('a defect')
    expect(await inTurn(async () => 1, false)).toBe(1)
  })
})
