import { beforeEach, describe, expect, it, vi } from 'vitest'
import { dedupe } from '../../../../src/adapters/mongodb/batching/batch.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'
import { type Sent, sentBy, turn } from './sent.js'

describe('dedupe', () => {
  let sent: Sent<string, string>[]
  let remaining: number[]
  const sharing = (settings: Partial<Parameters<typeof dedupe>[2]> = {}) => {
    sent = []
    remaining = []
    const load = (item: string, remainingMs: number): Promise<string> => {
      remaining.push(remainingMs)
      return sentBy(sent, item)
    }
    return dedupe<string, string>((item) => item, load, {
      concurrency: 2,
      concurrencyPerKey: 1,
      timeoutMs: 1_000,
      ...settings,
    })
  }
  const items = () => sent.map(({ item }) => item)
  const reply = async (at: number, result: string): Promise<void> => {
    sent[at]?.resolve(result)
    await turn()
  }

  beforeEach(() => {
    useFakeTimers({ toFake: ['performance'] })
  })

  it('returns the right result to different calls', async () => {
    const call = sharing()
    const results = Promise.all([call('a'), call('b'), call('a')])
    await turn()
    expect(items()).toStrictEqual(['a', 'b'])
    await reply(1, 'of b')
    await reply(0, 'of a')
    expect(await results).toStrictEqual(['of a', 'of b', 'of a'])
  })

  it('does not return the result of a load that began before the call', async () => {
    const call = sharing()
    const early = call('a')
    await turn()
    const late = Promise.all([call('a'), call('a')])
    await turn()
    expect(items()).toStrictEqual(['a'])
    await reply(0, 'before')
    expect(items()).toStrictEqual(['a', 'a'])
    await reply(1, 'after')
    expect([await early, ...(await late)]).toStrictEqual(['before', 'after', 'after'])
  })

  it('lets keys take turns, so that a popular one does not block the others', async () => {
    const call = sharing({ concurrency: 1 })
    const results = [call('a')]
    await turn()
    results.push(call('b'), call('a'))
    await reply(0, '')
    expect(items()).toStrictEqual(['a', 'b'])
    results.push(call('a'))
    await reply(1, '')
    await reply(2, '')
    await Promise.all(results)
    expect(items()).toStrictEqual(['a', 'b', 'a'])
  })

  it('may load one key more than once at a time', async () => {
    const call = sharing({ concurrency: 3, concurrencyPerKey: 2 })
    const results = [call('a')]
    await turn()
    results.push(call('a'))
    await turn()
    results.push(call('a'), call('b'))
    await turn()
    expect(items()).toStrictEqual(['a', 'a', 'b'])
    for (const at of [0, 1, 2, 3]) await reply(at, String(at))
    expect(await Promise.all(results)).toStrictEqual(['0', '1', '3', '2'])
  })

  it('fails every call of a failed load, and loads again for the next call', async () => {
    const call = sharing()
    const results = Promise.allSettled([call('a'), call('a')])
    await turn()
    sent[0]?.reject(new Error('lost'))
    expect((await results).map(({ status }) => status)).toStrictEqual(['rejected', 'rejected'])
    const next = call('a')
    await turn()
    await reply(1, 'found')
    expect(await next).toBe('found')
  })

  it('passes the remaining time of the last caller to a load, and does not load for expired calls', async () => {
    const call = sharing({ concurrency: 1 })
    const first = call('a')
    await turn()
    const late = Promise.allSettled([call('a'), call('b')])
    vi.advanceTimersByTime(600)
    const inTime = call('a')
    vi.advanceTimersByTime(600)
    await reply(0, 'first')
    expect(items()).toStrictEqual(['a', 'a'])
    expect(remaining).toStrictEqual([1_000, 400])
    await reply(1, 'second')
    expect([await first, await inTime]).toStrictEqual(['first', 'second'])
    expect((await late).map(({ status }) => status)).toStrictEqual(['rejected', 'rejected'])
  })
})
