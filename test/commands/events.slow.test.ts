import { beforeEach, describe, expect, it } from 'vitest'
import { DONE } from '../../src/commands/command.js'
import type { PetCreated } from '../../src/domain/events/domain-event.js'
import type { ArchivedStore } from '../../src/ports/store.js'
import { eventOf, numbered, recordOf, succeed } from '../../src/testing/samples.js'
import { openStoreIn } from '../adapters/sqlite/open-store.js'
import { pendingIn, saveRelay } from '../support/domain/log-reads.js'
import { makeMovableClock } from '../support/domain/movable-clock.js'
import { runCommandAt } from '../support/processes/run-command.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

interface Surroundings {
  readonly now?: number
  readonly EVENTS_URL?: string
  readonly STORE?: string
}

const NOON = Date.UTC(2026, 10, 21, 12)
/** Pets 1 to 3 are added at 10:00, 11:00 and 12:00 on the same day. */
const event = (id: number): PetCreated => eventOf(numbered(id), { time: Date.UTC(2026, 10, 21, 9 + id) })

describe('the events commands', () => {
  let directory: string
  beforeEach(async () => {
    directory = await temporaryPath()
  })

  const run = (words: string, { now = NOON + 30 * 60_000, ...environment }: Surroundings = {}) => {
    const all = { DATA_DIR: directory, EVENTS_URL: 'nats://localhost', ...environment }
    return runCommandAt(makeMovableClock(now), all, 'events', ...words.split(' '))
  }
  const json = async (words: string, surroundings?: Surroundings): Promise<unknown> => {
    const { code, stdout, stderr } = await run(`${words} --json`, surroundings)
    expect([code, stderr]).toStrictEqual([DONE, ''])
    return JSON.parse(stdout)
  }

  const inStore = async (work: (store: ArchivedStore) => Promise<unknown>): Promise<void> => {
    const store = await openStoreIn(directory)
    await work(store)
    await store.close()
  }

  const threePets = () =>
    inStore(async ({ pets }) => {
      for (const id of [1, 2, 3]) await succeed(pets.add(recordOf(event(id))))
    })
  /** Of the three events, `pending` must be sent again, `parked` are parked, and the others are sent. */
  const relayed = (pending: readonly number[], parked: readonly number[] = []) =>
    inStore((store) =>
      saveRelay(
        store,
        3,
        pending,
        parked.map((number) => ({ number, reason: 'too large' })),
      ),
    )
  const pending = async (): Promise<readonly bigint[]> => {
    let ids: readonly bigint[] = []
    await inStore(async (store) => {
      ids = (await pendingIn(store)).map(({ pet }) => pet.id)
    })
    return ids
  }

  it('print how many events wait, for how long, and how many are parked [cmd-events]', async () => {
    await threePets()
    await relayed([2], [3])
    expect((await run('backlog --json')).stdout).toBe('{"backlog":1,"oldestSeconds":5400,"parked":1}\n')
    expect((await run('backlog')).stdout).toBe('1 waiting, the oldest for 5400 s; 1 parked\n')
  })

  it.each([
    ['from a time on', '2026-11-21T11:00:00Z', 2],
    ['from a day on', '2026-11-21', 3],
    ['from a time without events', '2026-11-22', 0],
  ])('replay everything %s [cmd-events]', async (_, from, replayed) => {
    await threePets()
    await relayed([], [3])
    expect(await json(`replay --from ${from}`, { now: NOON - 3_600_000 })).toStrictEqual({ replayed })
    expect(await pending()).toHaveLength(replayed)
    expect(await json('parked list')).toHaveLength(replayed === 0 ? 1 : 0)
  })

  it.each([
    ['that has a relay', true],
    ['without one', false],
  ])('send only what comes, on a store %s [cmd-events]', async (_, isRelayed) => {
    await threePets()
    if (isRelayed) await relayed([1, 2])
    expect(await json('replay --from now')).toStrictEqual({ replayed: 0 })
    expect((await run('replay --from now')).stdout).toBe('only events from now on will be sent\n')
    await inStore(({ pets }) => succeed(pets.add(recordOf(event(4)))))
    expect(await pending()).toStrictEqual([4n])
  })

  it('list parked events with their reasons, and retry them', async () => {
    await threePets()
    await relayed([], [2])
    expect((await run('parked list --json')).stdout).toBe(
      '[{"petId":2,"eventId":"event-2","time":"2026-11-21T11:00:00.000Z","reason":"too large"}]\n',
    )
    expect((await run('parked list')).stdout).toBe(
      'petId  eventId  time               reason\n2      event-2  2026-11-21T11:00Z  too large\n',
    )
    expect(await json('parked retry')).toStrictEqual({ retried: 1 })
    expect((await run('parked retry')).stdout).toBe('0 events will be tried again\n')
    expect(await json('parked list')).toStrictEqual([])
  })
})
