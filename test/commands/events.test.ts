import { beforeEach, describe, expect, it } from 'vitest'
import { type Command, DONE, FAILED, UsageError } from '../../src/commands/command.js'
import { listParked, replayEvents, retryParked, showBacklog } from '../../src/commands/events.js'
import type { PetCreated } from '../../src/domain/events/domain-event.js'
import type { ArchivedStore } from '../../src/ports/store.js'
import { eventOf, numbered, recordOf, succeed } from '../../src/testing/samples.js'
import { openStoreIn } from '../adapters/lmdb/open-store.js'
import { pendingIn, saveRelay } from '../support/domain/log-reads.js'
import { makeMovableClock } from '../support/domain/movable-clock.js'
import { configOf } from '../support/processes/config-of.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

type Environment = Readonly<Record<string, string>>

interface Surroundings {
  readonly json?: boolean
  readonly environment?: Environment
  readonly now?: number
}

const NOON = Date.UTC(2026, 10, 21, 12)
/** Pets 1 to 3 are added at 10:00, 11:00 and 12:00 on one day. */
const event = (id: number): PetCreated => eventOf(numbered(id), { time: Date.UTC(2026, 10, 21, 9 + id) })

describe('the events commands', () => {
  let directory: string
  beforeEach(async () => {
    directory = await temporaryPath()
  })

  const run = async (
    command: Command,
    options: Readonly<Record<string, string>> = {},
    { json = true, environment = {}, now = NOON + 30 * 60_000 }: Surroundings = {},
  ) => {
    const defaults = { DATA_DIR: directory, EVENTS_URL: 'nats://localhost' }
    const results: string[] = []
    const messages: string[] = []
    const texts = (name: string) => (options[name] === undefined ? [] : [options[name]])
    const args = { positionals: [], json, texts, text: (name: string) => options[name] }
    const output = {
      result: (text: string) => results.push(text),
      message: (text: string) => messages.push(text),
      audit: () => undefined,
    }
    return {
      code: await command.run(args, configOf({ ...defaults, ...environment }), output, makeMovableClock(now)),
      results,
      // the line that names the store: store-line.test.ts
      messages: messages.filter((message) => !message.startsWith('store: ')),
    }
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
  /** Some of the three events are pending, some are parked, and the others are sent. */
  const relayed = (pending: readonly number[], parked: readonly number[] = []) =>
    inStore((store) =>
      saveRelay(
        store,
        3,
        pending.map((id) => [id, id]),
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

  it('print an empty backlog', async () => {
    await inStore(() => Promise.resolve())
    expect(await run(showBacklog)).toStrictEqual({
      code: DONE,
      results: ['{"backlog":0,"oldestSeconds":null,"parked":0}'],
      messages: [],
    })
    expect((await run(showBacklog, {}, { json: false })).results).toStrictEqual(['0 waiting; 0 parked'])
  })

  it('print how many events wait, for how long, and how many are parked [cmd-events]', async () => {
    await threePets()
    await relayed([2], [3])
    const { results } = await run(showBacklog)
    expect(results).toStrictEqual(['{"backlog":1,"oldestSeconds":5400,"parked":1}'])
    expect((await run(showBacklog, {}, { json: false })).results).toStrictEqual([
      '1 waiting, the oldest for 5400 s; 1 parked',
    ])
  })

  it.each([
    ['from a time on', { from: '2026-11-21T11:00:00Z' }, 2],
    ['from a time on, in another zone', { from: '2026-11-21T13:00+01:00' }, 1],
    ['of one day', { from: '2026-11-21', to: '2026-11-22' }, 3],
    ['before a time', { from: '2026-11-21', to: '2026-11-21T12:00:00.000Z' }, 2],
    ['of an empty time range', { from: '2026-11-21T11:00Z', to: '2026-11-21T11:00Z' }, 0],
  ])('replay events %s [cmd-events]', async (_, options, replayed) => {
    await threePets()
    await relayed([])
    const until = { to: '2026-11-23', ...options }
    expect(await run(replayEvents, until)).toStrictEqual({
      code: DONE,
      results: [`{"replayed":${replayed}}`],
      messages: [],
    })
    expect(await pending()).toHaveLength(replayed)
  })

  it('replay events without an end, even those that the clock of another instance dates later', async () => {
    await threePets()
    await relayed([], [3])
    const { results } = await run(replayEvents, { from: '2026-11-21T10:30Z' }, { now: NOON - 3_600_000 })
    expect(results).toStrictEqual(['{"replayed":2}'])
    expect(await pending()).toStrictEqual([2n, 3n])
    expect((await run(listParked)).results).toStrictEqual(['[]'])
  })

  it('replay events before any relay has run, and leave the others alone [cmd-events]', async () => {
    await threePets()
    const { results } = await run(replayEvents, { from: '2026-11-21T10:30Z', to: '2026-11-21T11:30Z' })
    expect(results).toStrictEqual(['{"replayed":1}'])
    await inStore(async ({ pets }) => succeed(pets.add(recordOf(event(4)))))
    expect(await pending()).toStrictEqual([2n, 4n])
  })

  it('warn that replayed events wait if nothing is published', async () => {
    await inStore(() => Promise.resolve())
    const { results, messages } = await run(
      replayEvents,
      { from: '2026-11-21' },
      { json: false, environment: { EVENTS_URL: '' } },
    )
    expect(results).toStrictEqual(['0 events will be sent'])
    expect(messages).toStrictEqual(['they wait until a service runs with EVENTS_URL'])
  })

  it.each([
    [{}, '--from: wanted a time like 2026-11-21T09:30:00Z'],
    [{ from: 'yesterday' }, '--from: got "yesterday", wanted a time like 2026-11-21T09:30:00Z or 2026-11-21'],
    [{ from: '2026-02-30' }, '--from: got "2026-02-30", wanted a time like 2026-11-21T09:30:00Z or 2026-11-21'],
    [{ from: '2026-13-01' }, '--from: got "2026-13-01", wanted a time like 2026-11-21T09:30:00Z or 2026-11-21'],
    [
      { from: '2026-11-21T25:00Z' },
      '--from: got "2026-11-21T25:00Z", wanted a time like 2026-11-21T09:30:00Z or 2026-11-21',
    ],
    [{ from: '2026-11-21', to: '5' }, '--to: got "5", wanted a time like 2026-11-21T09:30:00Z or 2026-11-21'],
    [{ from: '2026-11-21', to: '2026-11-20' }, '--to: must not be before --from'],
  ])('refuse to replay %j', async (options, message) => {
    const error = await run(replayEvents, options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect(error).toHaveProperty('message', message)
  })

  it('list parked events with their reasons, and retry them', async () => {
    await threePets()
    await relayed([], [2])
    expect((await run(listParked)).results).toStrictEqual([
      '[{"petId":2,"eventId":"event-2","time":"2026-11-21T11:00:00.000Z","reason":"too large"}]',
    ])
    expect((await run(listParked, {}, { json: false })).results).toStrictEqual([
      '2  event-2  2026-11-21T11:00:00.000Z  too large',
    ])
    expect((await run(retryParked)).results).toStrictEqual(['{"retried":1}'])
    expect((await run(retryParked, {}, { json: false })).results).toStrictEqual(['0 events will be tried again'])
    expect((await run(listParked)).results).toStrictEqual(['[]'])
  })

  it('count one event in the singular', async () => {
    await threePets()
    await relayed([1], [3])
    expect((await run(retryParked, {}, { json: false })).results).toStrictEqual(['1 event will be tried again'])
    const range = { from: '2026-11-21T11:00Z', to: '2026-11-21T11:30Z' }
    expect((await run(replayEvents, range, { json: false })).results).toStrictEqual(['1 event will be sent'])
  })

  it.each([showBacklog, listParked, retryParked])(
    'fail for a store that no other process can reach: $usage',
    async (command) => {
      const { code, results, messages } = await run(command, {}, { environment: { STORE: 'memory' } })
      expect(code).toBe(FAILED)
      expect(results).toStrictEqual([])
      expect(messages).toHaveLength(1)
    },
  )
})
