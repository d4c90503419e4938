import { beforeEach, describe, expect, it, vi } from 'vitest'
import { batch, makeLane } from '../../../../src/adapters/mongodb/batching/batch.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'
import { type Sent, sentBy } from './sent.js'

/** Runs all queued microtasks. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('batch', () => {
  let sent: Sent<readonly number[], readonly string[]>[]
  const batched = (settings: Partial<Parameters<typeof batch>[1]> = {}) => {
    const own: typeof sent = []
    sent = own
    return batch<number, string>((items) => sentBy(own, items), {
      concurrency: 1,
      maxItems: 10,
      timeoutMs: 1_000,
      ...settings,
    })
  }
  const items = () => sent.map(({ item }) => item)

  beforeEach(() => {
    useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  })

  it('sends a lone call immediately', async () => {
    const call = batched()
    const result = call(1)
    await turn()
    expect(items()).toStrictEqual([[1]])
    sent[0]?.resolve(['one'])
    expect(await result).toBe('one')
  })

  it('sends calls of one turn together, and returns the right result to each', async () => {
    const call = batched()
    const results = Promise.all([call(1), call(2), call(3)])
    await turn()
    expect(items()).toStrictEqual([[1, 2, 3]])
    sent[0]?.resolve(['one', 'two', 'three'])
    expect(await results).toStrictEqual(['one', 'two', 'three'])
  })

  it('sends calls that arrive during a batch in the next one', async () => {
    const call = batched()
    const first = call(1)
    await turn()
    const others = Promise.all([call(2), call(3)])
    await turn()
    expect(items()).toStrictEqual([[1]])
    sent[0]?.resolve(['one'])
    await first
    await turn()
    expect(items()).toStrictEqual([[1], [2, 3]])
    sent[1]?.resolve(['two', 'three'])
    expect(await others).toStrictEqual(['two', 'three'])
  })

  it('respects the maximum of batches in flight and of items per batch', async () => {
    const call = batched({ concurrency: 2, maxItems: 2 })
    const results = Promise.all([1, 2, 3, 4, 5].map(call))
    await turn()
    expect(items()).toStrictEqual([
      [1, 2],
      [3, 4],
    ])
    sent[1]?.resolve(['three', 'four'])
    await turn()
    expect(items().at(-1)).toStrictEqual([5])
    sent[0]?.resolve(['one', 'two'])
    sent[2]?.resolve(['five'])
    expect(await results).toStrictEqual(['one', 'two', 'three', 'four', 'five'])
  })

  describe('with patience', () => {
    it('holds up a batch while another is in flight', async () => {
      const call = batched({ concurrency: 2, patienceMs: 5 })
      const results = [call(1)]
      await turn()
      results.push(call(2))
      await turn()
      vi.advanceTimersByTime(4)
      results.push(call(3))
      await turn()
      expect(items()).toStrictEqual([[1]])
      sent[0]?.resolve(['one'])
      await turn()
      expect(items()).toStrictEqual([[1], [2, 3]])
      sent[1]?.resolve(['two', 'three'])
      expect(await Promise.all(results)).toStrictEqual(['one', 'two', 'three'])
    })

    it('sends a batch beside a slow one, but no more than its concurrency', async () => {
      const call = batched({ concurrency: 2, patienceMs: 5 })
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

    it('waits for the batches of its lane', async () => {
      const lane = makeLane()
      const other = batched({ lane })
      const others = sent
      const call = batched({ patienceMs: 5, lane })
      const [first, second] = [other(1), other(2)]
      await turn()
      const result = call(3)
      await turn()
      expect(items()).toStrictEqual([])
      others[0]?.resolve(['one', 'two'])
      await turn()
      expect(items()).toStrictEqual([[3]])
      sent[0]?.resolve(['three'])
      expect(await Promise.all([first, second, result])).toStrictEqual(['one', 'two', 'three'])
    })

    it('does not hold up the batches of its lane', async () => {
      const lane = makeLane()
      const other = batched({ lane })
      const others = sent
      const call = batched({ patienceMs: 5, lane })
      const result = call(1)
      await turn()
      const unheld = other(2)
      await turn()
      expect([items(), others.map(({ item }) => item)]).toStrictEqual([[[1]], [[2]]])
      sent[0]?.resolve(['one'])
      others[0]?.resolve(['two'])
      expect(await Promise.all([result, unheld])).toStrictEqual(['one', 'two'])
    })

    it('waits anew after each batch', async () => {
      const call = batched({ concurrency: 3, patienceMs: 5 })
      const results = [call(1)]
      await turn()
      results.push(call(2))
      await turn()
      vi.advanceTimersByTime(5)
      results.push(call(3))
      await turn()
      vi.advanceTimersByTime(4)
      expect(items()).toStrictEqual([[1], [2]])
      vi.advanceTimersByTime(1)
      expect(items()).toStrictEqual([[1], [2], [3]])
      for (const [at, name] of ['one', 'two', 'three'].entries()) sent[at]?.resolve([name])
      expect(await Promise.all(results)).toStrictEqual(['one', 'two', 'three'])
    })
  })

  it('fails only the calls of a failed batch', async () => {
    const call = batched({ maxItems: 2 })
    const results = Promise.allSettled([1, 2, 3].map(call))
    await turn()
    sent[0]?.reject(new Error('lost'))
    await turn()
    sent[1]?.resolve(['three'])
    expect((await results).map(({ status }) => status)).toStrictEqual(['rejected', 'rejected', 'fulfilled'])
  })

  it('fails calls with missing results', async () => {
    const call = batched()
    const results = Promise.allSettled([call(1), call(2)])
    await turn()
    sent[0]?.resolve(['one'])
    expect(await results).toStrictEqual([
      { status: 'fulfilled', value: 'one' },
      { status: 'rejected', reason: new Error('a batch returned fewer results than items') },
    ])
  })

  it('does not send a call that has waited longer than its timeout', async () => {
    const call = batched()
    const first = call(1)
    await turn()
    const late = Promise.allSettled([call(2)])
    vi.advanceTimersByTime(600)
    const inTime = call(3)
    vi.advanceTimersByTime(600)
    sent[0]?.resolve(['one'])
    await first
    await turn()
    expect(items()).toStrictEqual([[1], [3]])
    sent[1]?.resolve(['three'])
    expect(await inTime).toBe('three')
    expect(await late).toStrictEqual([{ status: 'rejected', reason: new Error('not sent within 1000 ms') }])
  })
})
