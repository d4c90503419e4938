// How calls share commands: no needless wait, and no result of a command that was sent before the call.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type BatchSettings, batch, dedupe } from '../../../src/adapters/mongodb/batch.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'

interface Sent<A, B> {
  readonly item: A
  readonly resolve: (result: B) => void
  readonly reject: (cause: unknown) => void
}

const recorder = <A, B>() => {
  const sent: Sent<A, B>[] = []
  const send = (item: A): Promise<B> =>
    new Promise((resolve, reject) => {
      sent.push({ item, resolve, reject })
    })
  return { sent, send, items: () => sent.map(({ item }) => item) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

const batched = (settings: Partial<BatchSettings> = {}) => {
  const { sent, send, items } = recorder<readonly number[], readonly string[]>()
  const call = batch<number, string>(send, { concurrency: 1, maxItems: 10, timeoutMs: 1_000, ...settings })
  const reply = async (at: number): Promise<void> => {
    sent[at]?.resolve(sent[at].item.map(String))
    await turn()
  }
  return { call, sent, items, reply }
}

beforeEach(() => {
  useFakeTimers({ toFake: ['performance', 'setTimeout'] })
})

describe('batch', () => {
  it('sends a lone call at once, those that arrive meanwhile together, and returns to each its result', async () => {
    const { call, items, reply } = batched()
    const results = [call(1)]
    await turn()
    results.push(call(2), call(3))
    await turn()
    expect(items()).toStrictEqual([[1]])
    await reply(0)
    expect(items()).toStrictEqual([[1], [2, 3]])
    await reply(1)
    expect(await Promise.all(results)).toStrictEqual(['1', '2', '3'])
  })

  it('fails only the calls of a batch that failed or returned too few results', async () => {
    const { call, sent, reply } = batched({ maxItems: 2 })
    const results = Promise.allSettled([1, 2, 3, 4, 5].map(call))
    await turn()
    sent[0]?.reject(new Error('lost'))
    await turn()
    sent[1]?.resolve(['3'])
    await turn()
    await reply(2)
    const reasons = (await results).map((result) => (result.status === 'rejected' ? String(result.reason) : 'none'))
    const few = 'Error: a batch returned fewer results than items'
    expect(reasons).toStrictEqual(['Error: lost', 'Error: lost', few, few, 'none'])
  })

  it('does not send a call that has waited longer than its timeout', async () => {
    const { call, items, reply } = batched()
    const first = call(1)
    await turn()
    const late = Promise.allSettled([call(2)])
    vi.advanceTimersByTime(600)
    const inTime = call(3)
    vi.advanceTimersByTime(600)
    await reply(0)
    expect(items()).toStrictEqual([[1], [3]])
    await reply(1)
    expect(await Promise.all([first, inTime])).toStrictEqual(['1', '3'])
    expect(await late).toStrictEqual([{ status: 'rejected', reason: new Error('not sent within 1000 ms') }])
  })

  it('with patience, waits for those in flight until it is full, or its patience is over, but never beyond its concurrency', async () => {
    const { call, items, reply } = batched({ concurrency: 3, maxItems: 2, gatherMs: 5 })
    const results = [1, 2, 3, 4].map(() => undefined as unknown)
    const add = async (item: number): Promise<void> => {
      results[item - 1] = call(item)
      await turn()
    }
    await add(1)
    await add(2)
    vi.advanceTimersByTime(4)
    expect(items()).toStrictEqual([[1]])
    await add(3)
    expect(items()).toStrictEqual([[1], [2, 3]])
    await add(4)
    vi.advanceTimersByTime(5)
    expect(items()).toStrictEqual([[1], [2, 3], [4]])
    const last = call(5)
    await turn()
    vi.advanceTimersByTime(500)
    expect(items()).toHaveLength(3)
    for (const at of [0, 1, 2, 3]) await reply(at)
    expect(await Promise.all([...results, last])).toStrictEqual(['1', '2', '3', '4', '5'])
  })

  it('with patience, waits for a batch of another function only until that has failed', async () => {
    const limit = { inFlight: 0, resume: [] }
    const other = batched({ limit })
    const { call, items, reply } = batched({ limit, gatherMs: 5 })
    const failed = Promise.allSettled([other.call(1)])
    await turn()
    const result = call(2)
    await turn()
    vi.advanceTimersByTime(4)
    expect(items()).toStrictEqual([])
    other.sent[0]?.reject(new Error('lost'))
    await Promise.all([failed, turn()])
    expect(items()).toStrictEqual([[2]])
    await reply(0)
    expect(await result).toBe('2')
  })
})

it('dedupe loads once for equal calls, and never returns the result of a load that began before the call', async () => {
  const { sent, send, items } = recorder<string, string>()
  const call = dedupe<string, string>((item) => item, send, { concurrency: 2, timeoutMs: 1_000 })
  const reply = async (at: number, result: string): Promise<void> => {
    sent[at]?.resolve(result)
    await turn()
  }
  const early = Promise.all([call('a'), call('b'), call('a')])
  await turn()
  const late = Promise.all([call('a'), call('a')])
  await turn()
  expect(items()).toStrictEqual(['a', 'b'])
  await reply(1, 'of b')
  await reply(0, 'before')
  expect(items()).toStrictEqual(['a', 'b', 'a'])
  await reply(2, 'after')
  expect([...(await early), ...(await late)]).toStrictEqual(['before', 'of b', 'before', 'after', 'after'])
})
