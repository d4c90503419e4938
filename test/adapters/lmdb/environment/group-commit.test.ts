import { describe, expect, it, vi } from 'vitest'
import { makeGroupCommit } from '../../../../src/adapters/lmdb/environment/group-commit.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'

/** Transactions that end when the test says so. */
const makeDisk = () => {
  const pending: ((outcome: 'synced' | 'full') => void)[] = []
  let begun = 0
  let ran = 0
  const transact = async (group: () => Promise<void>): Promise<void> => {
    begun += 1
    // a transaction never begins within the call that requests it
    await Promise.resolve()
    await group()
    ran += 1
    await new Promise<void>((resolve, reject) => {
      pending.push((outcome) => (outcome === 'synced' ? resolve() : reject(new Error('no space'))))
    })
  }
  const end = async (outcome: 'synced' | 'full'): Promise<void> => {
    await vi.waitUntil(() => pending.length > 0)
    pending.shift()?.(outcome)
  }
  return { transact, end, begun: () => begun, ran: () => ran }
}

describe('makeGroupCommit', () => {
  it('resolves a write only after its commit', async () => {
    const disk = makeDisk()
    const commits = makeGroupCommit(disk.transact)
    let response: number | undefined
    const written = commits
      .write(() => 1)
      .then((result) => {
        response = result
      })
    await vi.waitUntil(() => disk.begun() === 1)
    expect(response).toBeUndefined()
    await disk.end('synced')
    await written
    expect(response).toBe(1)
  })

  it('commits writes together that arrive during a commit', async () => {
    const disk = makeDisk()
    const commits = makeGroupCommit(disk.transact)
    const first = commits.write(() => 0)
    await vi.waitUntil(() => disk.ran() === 1)
    const others = [1, 2, 3].map((result) => commits.write(() => result))
    await disk.end('synced')
    await disk.end('synced')
    expect(await Promise.all([first, ...others])).toStrictEqual([0, 1, 2, 3])
    expect(disk.begun()).toBe(2)
  })

  it('includes writes in the commit that follow from an early result', async () => {
    const disk = makeDisk()
    const commits = makeGroupCommit(disk.transact)
    const chained = commits.writeUncommitted(() => 41).then((id) => commits.write(() => id + 1))
    await disk.end('synced')
    expect(await chained).toBe(42)
    expect(disk.begun()).toBe(1)
  })

  it('fails the whole group if its commit fails, and continues', async () => {
    const disk = makeDisk()
    const commits = makeGroupCommit(disk.transact)
    const failed = Promise.allSettled([commits.write(() => 1), commits.write(() => 2)])
    await disk.end('full')
    expect((await failed).map(({ status }) => status)).toStrictEqual(['rejected', 'rejected'])
    const later = commits.write(() => 3)
    await disk.end('synced')
    expect(await later).toBe(3)
  })

  it('fails a job that throws alone, and runs the others again without it', async () => {
    const disk = makeDisk()
    const commits = makeGroupCommit(disk.transact)
    const wrong = (): never => {
      throw new Error('too long')
    }
    let runs = 0
    const id = commits.writeUncommitted(() => 1)
    const results = Promise.allSettled([
      id.then((drawn) => commits.write(() => drawn + 1)),
      commits.write(() => {
        runs += 1
        return 3
      }),
      commits.write(wrong),
      commits.write(() => 4),
      commits.write(wrong),
    ])
    await disk.end('synced')
    const settled = (await results).map((outcome): unknown =>
      outcome.status === 'fulfilled' ? outcome.value : outcome.reason,
    )
    expect(settled).toStrictEqual([2, 3, new Error('too long'), 4, new Error('too long')])
    expect(runs).toBe(3)
    expect([disk.begun(), disk.ran()]).toStrictEqual([3, 1])
  })

  it('draws again in the order of its callers after an early job has thrown', async () => {
    const disk = makeDisk()
    const commits = makeGroupCommit(disk.transact)
    const results = Promise.allSettled([
      commits.writeUncommitted(() => 1),
      commits.writeUncommitted(() => {
        throw new Error('damaged')
      }),
    ])
    await disk.end('synced')
    expect((await results).map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected'])
  })

  it('fails writes that wait for a transaction that cannot begin', async () => {
    const commits = makeGroupCommit(() => Promise.reject(new Error('locked out')))
    const results = await Promise.allSettled([commits.write(() => 1), commits.writeUncommitted(() => 2)])
    expect(results.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected'])
  })

  it('gives up a write that takes too long, and never runs it later', async () => {
    useFakeTimers()
    const disk = makeDisk()
    const commits = makeGroupCommit(disk.transact)
    const stuck = expect(commits.write(() => 1)).rejects.toThrow('not written within 2000 ms')
    await vi.advanceTimersByTimeAsync(1)
    let isDone = false
    const waiting = expect(
      commits.write(() => {
        isDone = true
      }),
    ).rejects.toThrow('not written within 2000 ms')
    await vi.advanceTimersByTimeAsync(2_000)
    await stuck
    await waiting
    vi.useRealTimers()
    await disk.end('synced')
    await disk.end('synced')
    expect(await commits.stop()).toBe(true)
    expect(isDone).toBe(false)
  })

  it('gives up a create, which writes twice, within five seconds', async () => {
    useFakeTimers()
    // the write lock becomes free after 1.9 s, and then the disk never responds
    const commits = makeGroupCommit(async (group) => {
      await new Promise((resolve) => setTimeout(resolve, 1_900))
      await group()
      await new Promise(() => {})
    })
    const create = expect(commits.writeUncommitted(() => 1).then((id) => commits.write(() => id))).rejects.toThrow(
      'not written',
    )
    await vi.advanceTimersByTimeAsync(4_500)
    expect(vi.getTimerCount()).toBe(0)
    await create
  })

  it('includes writes in the commit that follow from an early result after many promises', async () => {
    const disk = makeDisk()
    const commits = makeGroupCommit(disk.transact)
    const create = async (): Promise<number> => {
      const id = await commits.writeUncommitted(() => 1)
      for (let step = 0; step < 1_000; step += 1) await Promise.resolve()
      return commits.write(() => id + 1)
    }
    const created = Promise.all([create(), create(), commits.write(() => 3)])
    await disk.end('synced')
    expect(await created).toStrictEqual([2, 2, 3])
    expect(disk.begun()).toBe(1)
  })

  it('completes writes in progress at a stop, and refuses later ones', async () => {
    const disk = makeDisk()
    const commits = makeGroupCommit(disk.transact)
    const begun = commits.write(() => 1)
    const stopped = commits.stop()
    await expect(commits.write(() => 2)).rejects.toThrow('the store is closed')
    expect(commits.isBusy()).toBe(true)
    await disk.end('synced')
    expect(await begun).toBe(1)
    expect(await stopped).toBe(true)
    expect(commits.isBusy()).toBe(false)
  })

  it('does not wait forever for a commit that never ends', async () => {
    useFakeTimers()
    const commits = makeGroupCommit(() => new Promise(() => {}))
    const stuck = expect(commits.write(() => 1)).rejects.toThrow('not written')
    const stopped = commits.stop()
    await vi.advanceTimersByTimeAsync(5_000)
    await stuck
    vi.useRealTimers()
    expect(await stopped).toBe(false)
  })
})
