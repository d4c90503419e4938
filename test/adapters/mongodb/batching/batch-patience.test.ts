import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { SharedLimit } from '../../../../src/adapters/mongodb/batching/batch.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'
import { recordedBatch, turn } from './sent.js'

describe('a batch with patience', () => {
  beforeEach(() => {
    useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  })

  it('sends a batch beside a slow one, but no more than its concurrency', async () => {
    const { call, sent, items } = recordedBatch({ concurrency: 2, patienceMs: 5 })
    const results = [call(1)]
    await turn()
    results.push(call(2))
    await turn()
    vi.advanceTimersByTime(5)
    await turn()
    expect(items()).toStrictEqual([[1], [2]])
    results.push(call(3))
    await turn()
    vi.advanceTimersByTime(500)
    await turn()
    expect(items()).toStrictEqual([[1], [2]])
    sent[1]?.resolve(['two'])
    await turn()
    expect(items()).toStrictEqual([[1], [2], [3]])
    sent[0]?.resolve(['one'])
    sent[2]?.resolve(['three'])
    expect(await Promise.all(results)).toStrictEqual(['one', 'two', 'three'])
  })

  it('waits for the batches of its limit', async () => {
    const limit: SharedLimit = { inFlight: 0, resume: [] }
    const other = recordedBatch({ limit })
    const { call, sent, items } = recordedBatch({ patienceMs: 5, limit })
    const [first, second] = [other.call(1), other.call(2)]
    await turn()
    const result = call(3)
    await turn()
    expect(items()).toStrictEqual([])
    other.sent[0]?.resolve(['one', 'two'])
    await turn()
    expect(items()).toStrictEqual([[3]])
    sent[0]?.resolve(['three'])
    expect(await Promise.all([first, second, result])).toStrictEqual(['one', 'two', 'three'])
  })

  it('does not hold up the batches of its limit', async () => {
    const limit: SharedLimit = { inFlight: 0, resume: [] }
    const other = recordedBatch({ limit })
    const { call, sent, items } = recordedBatch({ patienceMs: 5, limit })
    const result = call(1)
    await turn()
    const unheld = other.call(2)
    await turn()
    expect([items(), other.items()]).toStrictEqual([[[1]], [[2]]])
    sent[0]?.resolve(['one'])
    other.sent[0]?.resolve(['two'])
    expect(await Promise.all([result, unheld])).toStrictEqual(['one', 'two'])
  })

  it('sends a batch as soon as it is full', async () => {
    const { call, sent, items } = recordedBatch({ concurrency: 2, patienceMs: 5, maxItems: 2 })
    const results: Promise<unknown>[] = []
    for (const item of [1, 2, 3]) {
      results.push(call(item))
      await turn()
    }
    expect(items()).toStrictEqual([[1], [2, 3]])
    sent[0]?.resolve(['one'])
    sent[1]?.resolve(['two', 'three'])
    expect(await Promise.all(results)).toStrictEqual(['one', 'two', 'three'])
  })
})
