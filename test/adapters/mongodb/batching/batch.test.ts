import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'
import { recordedBatch, type Sent, turn } from './sent.js'

describe('batch', () => {
  let sent: Sent<readonly number[], readonly string[]>[]
  const batched = (settings: Parameters<typeof recordedBatch>[0] = {}) => {
    const recorded = recordedBatch(settings)
    sent = recorded.sent
    return recorded.call
  }
  const items = () => sent.map(({ item }) => item)

  beforeEach(() => {
    useFakeTimers({ toFake: ['performance'] })
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

  it('fails only the calls of a failed batch', async () => {
    const call = batched({ maxItems: 2 })
    const results = Promise.allSettled([1, 2, 3].map(call))
    await turn()
    sent[0]?.reject(new Error('lost'))
    await turn()
    sent[1]?.resolve(['three'])
    expect((await results).map(({ status }) => status)).toStrictEqual(['rejected', 'rejected', 'fulfilled'])
  })

  it('fails all calls of a batch that returns too few results', async () => {
    const call = batched()
    const results = Promise.allSettled([call(1), call(2)])
    await turn()
    sent[0]?.resolve(['one'])
    expect(await results).toStrictEqual([
      { status: 'rejected', reason: new Error('a batch returned fewer results than items') },
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
