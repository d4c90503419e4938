// The contract of an event log, together with the repository and the ids of the same storage. Its main rule: nothing
// appears at or below a position that a read has returned.
import { setImmediate, setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventNumber, type PetCreated } from '../../domain/events/domain-event.js'
import { event, held, NOW, range, recordOf, succeed } from '../samples.js'
import {
  addUnder,
  create,
  createMany,
  type EventLogHarness,
  headOf,
  histories,
  type LoggedStore,
  makeReader,
  numbersOf,
  PATIENCE_MS,
  readMeanwhile,
  readThrough,
} from './event-log-samples.js'
import { opened } from './store.contract.js'

const STEPS = ['draw', 'draw', 'add the newest', 'add the oldest', 'lose the oldest', 'create', 'read'] as const

const anyHistory = histories(STEPS, { minLength: 4, maxLength: 40 })

const ascending = (numbers: readonly number[]): readonly number[] => numbers.toSorted((one, other) => one - other)

export interface EventLogOptions {
  /** Number of random histories; fewer for stores that wait for unused ids. */
  readonly runs?: number
}

/** The vitest suite; `make` opens an empty storage for each test. */
export const eventLogContract = (
  name: string,
  make: () => Promise<EventLogHarness>,
  { runs = 30 }: EventLogOptions = {},
): void => {
  describe(`EventLog: ${name}`, { timeout: 2 * PATIENCE_MS }, () => {
    const fresh = async (): Promise<EventLogHarness['stores']> => (await opened(make)).stores

    it('is empty at first, and belongs to the storage of the pets, of the ids and of the relay', async () => {
      const [{ pets, ids, log, relay }, other] = await fresh()
      expect(await succeed(log.read({ after: 0, limit: 10 }))).toStrictEqual({ events: [], damaged: [], upTo: 0 })
      const head = await succeed(log.head)
      expect(head).toStrictEqual({ last: 0, logId: expect.stringMatching(/^[\w-]{8,64}$/) as unknown })
      expect(await succeed(other.log.head)).toStrictEqual(head)
      expect(new Set([pets, ids, log, relay ?? log].map(({ storage }) => storage)).size).toBe(1)
    })

    it('returns every event exactly, in the order of their numbers, from any position and in pages of any size, and no position beyond its head', async () => {
      const [store] = await fresh()
      const created = await createMany(store, 12)
      const last = await headOf(store)
      expect(created.map(eventNumber).at(-1)).toBe(last)
      for (const limit of [1, 2, 5, 12, 13, 100]) {
        expect(await makeReader(store.log).through(last, limit)).toStrictEqual(created)
      }
      for (const [at, event] of created.entries()) {
        const rest = await makeReader(store.log, eventNumber(event)).through(last, 4)
        expect(rest).toStrictEqual(created.slice(at + 1))
      }
      const end = { events: [], damaged: [], upTo: last }
      expect(await succeed(store.log.read({ after: last, limit: 1 }))).toStrictEqual(end)
      const beyond = await succeed(store.log.read({ after: 1_000_000, limit: 10 }))
      expect(beyond).toMatchObject({ events: [], damaged: [] })
      expect(beyond.upTo).toBeLessThanOrEqual(last)
    })

    it('has no event of an add that returned `KeyTaken` [log]', async () => {
      const [store] = await fresh()
      const key = held('a', 'k', NOW + 90_000)
      const first = await create(store, key)
      const second = recordOf(event(await succeed(store.ids.next)), key)
      expect(await succeed(store.pets.add(second))).toMatchObject({ _tag: 'KeyTaken' })
      const last = await create(store)
      expect(await readThrough(store.log, eventNumber(last))).toStrictEqual([first, last])
    })

    it.each([
      ['before a reader has passed it', false],
      ['under a higher id once a reader has passed it', true],
    ])('takes a pet whose id was drawn before that of a later one %s [log]', async (_, isPassed) => {
      const [one, other] = await fresh()
      const early = await succeed(one.ids.next)
      const late = await create(other)
      if (isPassed) await readThrough(other.log, eventNumber(late))
      const added = await addUnder(one, early)
      if (isPassed) expect(added.pet.id > late.pet.id).toBe(true)
      const next = await create(one)
      const found = await readThrough((isPassed ? one : other).log, eventNumber(next))
      expect(found).toStrictEqual([late, added].toSorted((a, b) => eventNumber(a) - eventNumber(b)).concat(next))
    })

    it('shows every reader each event once, in order, whatever is drawn, added, lost and read in between [log]', {
      timeout: runs * PATIENCE_MS,
    }, async () => {
      const law = fc.asyncProperty(anyHistory, async (history) => {
        const { stores, close } = await make()
        const makeProcess = (store: LoggedStore) => ({ ...store, ...makeReader(store.log), drawn: [] as bigint[] })
        const processes = [makeProcess(stores[0]), makeProcess(stores[1])] as const
        const added: number[] = []
        for (const { by, does, limit } of history) {
          const { drawn, ids, pets, read } = processes[by]
          const add = async (id: bigint | undefined): Promise<void> => {
            if (id !== undefined) added.push(eventNumber(await addUnder({ pets }, id)))
          }
          if (does === 'draw') drawn.push(await succeed(ids.next))
          if (does === 'add the newest') await add(drawn.pop())
          if (does === 'add the oldest') await add(drawn.shift())
          if (does === 'lose the oldest') drawn.shift()
          if (does === 'create') await add(await succeed(ids.next))
          if (does === 'read') await read(limit)
        }
        // after the last create, everything before it becomes final sooner or later
        const last = eventNumber(await create(stores[0]))
        for (const { through } of [...processes, makeReader(stores[1].log)]) {
          expect(numbersOf({ events: await through(last) })).toStrictEqual([...ascending(added), last])
        }
        await close()
      })
      await fc.assert(law, { numRuns: runs, endOnFailure: true })
    })

    it('answers every one of many creates that race with one another, in whatever order their ids were drawn, and with readers [log]', async () => {
      const stores = await fresh()
      const drawn = await Promise.all(
        range(1, 20).flatMap(() => stores.map(async (store) => ({ store, id: await succeed(store.ids.next) }))),
      )
      const readers = stores.map(({ log }) => makeReader(log))
      const events = await readMeanwhile(
        readers.map(
          ({ read }, at) =>
            () =>
              read(at === 0 ? 7 : 200),
        ),
        () => {
          const adding = drawn.toReversed().map(({ store, id }) => addUnder(store, id))
          return Promise.all([...adding, ...range(1, 30).flatMap(() => stores.map((store) => create(store)))])
        },
      )
      const added = ascending(events.map(eventNumber))
      const last = await headOf(stores[0])
      for (const { through } of readers) expect(numbersOf({ events: await through(last) })).toStrictEqual(added)
    })

    it('shows a reader that has caught up every event of a store that adds one after another [log]', async () => {
      const [one, other] = await fresh()
      const { read, through } = makeReader(other.log)
      const added: PetCreated[] = []
      await readMeanwhile([() => read(100)], async () => {
        while (added.length < 300) {
          added.push(await create(one))
          // lets the reader catch up: a store may respond within the microtasks of this turn
          await setImmediate()
        }
      })
      expect(await through(await headOf(one))).toStrictEqual(added)
    })
  })
}

/** How long the suite pauses an add. It cannot detect a store that gives up an add later, which could lose an event. */
const PAUSED_MS = 2_000

/** A storage in which an add can be paused. */
export interface PausedAddHarness extends EventLogHarness {
  /**
   * Calls `start`, which begins an add, and pauses that between the insert of the pet with this id and its commit, by
   * means outside the ports, such as a trigger. Resolves once it is paused, to a function that resumes the add.
   */
  readonly pauseInAdd: (id: bigint, start: () => void) => Promise<() => Promise<unknown>>
}

/** The vitest suite, for stores whose adds can be paused; `make` opens an empty storage. */
export const pausedAddContract = (name: string, make: () => Promise<PausedAddHarness>): void => {
  const title = `EventLog: ${name}: no reader passes a pet that is still being added, whoever adds another one meanwhile`
  it(title, { timeout: 2 * PATIENCE_MS }, async () => {
    const { stores, pauseInAdd } = await opened(make)
    const [one, other] = stores
    const id = await succeed(one.ids.next)
    const adding: Promise<PetCreated>[] = []
    const goOn = await pauseInAdd(id, () => adding.push(addUnder(one, id)))
    adding.push(create(other))
    const { read, through } = makeReader(other.log)
    // time for the second add to overtake the first one, if it can, and to catch readers that do not wait long enough
    for (const end = performance.now() + PAUSED_MS; performance.now() < end; ) {
      await read(10)
      await setTimeout(50)
    }
    await goOn()
    const added = ascending((await Promise.all(adding)).map(eventNumber))
    expect(numbersOf({ events: await through(added.at(-1) ?? 0) })).toStrictEqual(added)
  })
}
