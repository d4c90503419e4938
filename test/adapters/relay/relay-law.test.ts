// The law of the relay under random histories: every event is published, and every replay is kept, whatever
// draws, adds, reads, saves, takeovers, crashes and commands happen in between.
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { DEFAULT_RELAY } from '../../../src/adapters/relay/relay-loop.js'
import { replayEvents } from '../../../src/domain/events/backlog.js'
import { type DomainEvent, eventNumber } from '../../../src/domain/events/domain-event.js'
import { readBatch, settle } from '../../../src/domain/events/relay-batch.js'
import { nextVersion, type RelayRecord, releasedFrom, unusedAfter } from '../../../src/domain/events/relay-record.js'
import type { Delivery } from '../../../src/ports/event-publisher.js'
import type { Store } from '../../../src/ports/store.js'
import { histories } from '../../../src/testing/contracts/event-log-samples.js'
import { event, recordOf, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from '../sqlite/open-store.js'

const STEPS = [
  ...(['draw', 'add the newest', 'add the oldest', 'create', 'publish', 'publish', 'fail'] as const),
  ...(['save', 'take over', 'take over', 'release', 'crash', 'replay'] as const),
] as const

const anyHistory = histories(STEPS, { minLength: 8, maxLength: 60 })
type History = typeof anyHistory extends fc.Arbitrary<infer H> ? H : never

/** The ids that a process has drawn, and its relay record. */
interface Process {
  drawn: bigint[]
  record: RelayRecord | undefined
}

const run = async (stores: readonly [Store, Store], history: History) => {
  const makeProcess = (): Process => ({ drawn: [], record: undefined })
  const processes = [makeProcess(), makeProcess()] as const
  /** The step that added each pet. */
  const stored = new Map<number, number>()
  /** The steps that published each number. */
  const published = new Map<number, number[]>()
  /** The last step that asked for each number to be sent. */
  const wanted = new Map<number, number>()
  let at = 0

  const publishTo = (events: readonly DomainEvent[], fails: boolean): readonly Delivery[] =>
    events.map((each, index) => {
      if (fails && index > 0) return { _tag: 'Failed', reason: 'away' }
      const number = eventNumber(each)
      published.set(number, [...(published.get(number) ?? []), at])
      return { _tag: 'Delivered' }
    })

  /** The number of the event may differ from that of the id. */
  const add = async (by: 0 | 1, id: bigint | undefined): Promise<number> => {
    if (id === undefined) return 0
    const added = await succeed(stores[by].pets.add(recordOf({ ...event(id), time: at * 1_000 })))
    if (added._tag !== 'Added') throw new Error(`expected the pet ${id} to be added`)
    stored.set(Number(added.id), at)
    wanted.set(Number(added.id), at)
    return Number(added.id)
  }

  const save = async (by: 0 | 1, next: RelayRecord): Promise<void> => {
    // If refused, this process forgets what it published since the last save
    processes[by].record = (await succeed(stores[by].relay.save(next))) ? next : undefined
  }

  const takeOver = async (by: 0 | 1): Promise<void> => {
    const loaded = O.getOrElse(() => unusedAfter(0))(await succeed(stores[by].relay.load))
    await save(by, nextVersion(loaded, { holder: `process ${by}`, leaseMs: 10_000 }))
  }

  /** Returns whether anything was left to read. */
  const publish = async (by: 0 | 1, batchSize: number, fails: boolean): Promise<boolean> => {
    const { record } = processes[by]
    if (record === undefined) return false
    const batch = await succeed(readBatch(stores[by])(record, batchSize))
    const deliveries = publishTo(batch.events, fails)
    processes[by].record = settle(record, batch, deliveries, DEFAULT_RELAY.attemptsBeforeParking).record
    return batch.upTo > record.position
  }

  const replay = async (by: 0 | 1): Promise<void> => {
    const from = at % 2 === 0 ? 0 : Math.floor(at / 2)
    await succeed(replayEvents(stores[by])(from * 1_000))
    for (const [number, step] of stored) if (step >= from) wanted.set(number, at)
  }

  // nothing is sent before a store has its first relay
  await takeOver(0)
  for (const { by, does, limit } of history) {
    const process = processes[by]
    const { record, drawn } = process
    at += 1
    if (does === 'draw') drawn.push(await succeed(stores[by].ids.next))
    if (does === 'add the newest') await add(by, drawn.pop())
    if (does === 'add the oldest') await add(by, drawn.shift())
    if (does === 'create') await add(by, await succeed(stores[by].ids.next))
    if (does === 'publish' || does === 'fail') await publish(by, limit, does === 'fail')
    if (does === 'take over') await takeOver(by)
    if (does === 'save' && record !== undefined) await save(by, nextVersion(record))
    if (does === 'release' && record !== undefined) await save(by, releasedFrom(record))
    if (does === 'release' || does === 'crash') process.record = undefined
    if (does === 'crash') process.drawn = []
    if (does === 'replay') await replay(by)
  }

  // one process survives, and sends until the last create is final
  at += 1
  await takeOver(0)
  const last = await add(0, await succeed(stores[0].ids.next))
  await expect
    .poll(
      async () => {
        while (await publish(0, 10, false));
        return published.has(last)
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(true)
  const missing = [...wanted].filter(([number, step]) => !published.get(number)?.some((each) => each >= step))
  expect(missing).toStrictEqual([])
  expect([...published.keys()].filter((number) => !stored.has(number))).toStrictEqual([])
}

const openFolder = async () => {
  const folder = await temporaryPath()
  const stores = [await openStoreIn(folder), await openStoreIn(folder)] as const
  const close = async (): Promise<void> => {
    for (const store of stores) await store.close()
  }
  return { stores, close }
}

const openMemory = async () => {
  const store = makeMemoryStore()
  return { stores: [store, store] as const, close: store.close }
}

it.each([
  ['the store in memory', openMemory, 100],
  ['two embedded stores on one folder', openFolder, 8],
] as const)(
  'the relay publishes every event and keeps every replay on %s, whatever happens in between',
  (_, open, numRuns) =>
    fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        const { stores, close } = await open()
        try {
          await run(stores, history)
        } finally {
          await close()
        }
      }),
      { numRuns, endOnFailure: true },
    ),
)
