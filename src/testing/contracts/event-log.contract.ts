// The contract of an event log, together with the repository and the ids of the same storage. Its law is that nothing appears at or
// below a position that was given out.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventNumber } from '../../domain/events/domain-event.js'
import { event, held, range, succeed } from '../samples.js'
import {
  addUnder,
  create,
  createMany,
  type EventLogHarness,
  type History,
  headOf,
  histories,
  numbersOf,
  PATIENCE_MS,
  readThrough,
} from './event-log-samples.js'
import { opened } from './store.contract.js'

const STEPS = ['draw', 'draw', 'add the newest', 'add the oldest', 'lose the oldest', 'create', 'read'] as const

const anyHistory = histories(STEPS, { minLength: 4, maxLength: 40 })

const ascending = (numbers: readonly number[]): readonly number[] => numbers.toSorted((one, other) => one - other)

/** Runs a history; returns what was added, and what each of the two readers has seen. */
const run = async (stores: EventLogHarness['stores'], history: History<(typeof STEPS)[number]>) => {
  const drawn: readonly [bigint[], bigint[]] = [[], []]
  const makeReader = (): { position: number; seen: number[] } => ({ position: 0, seen: [] })
  const readers = [makeReader(), makeReader()] as const
  const added: number[] = []
  for (const { by, does, limit } of history) {
    const [{ pets, ids, log }, mine, reader] = [stores[by], drawn[by], readers[by]]
    const add = async (id: bigint | undefined): Promise<void> => {
      if (id !== undefined) added.push(eventNumber(await addUnder({ pets }, id)))
    }
    if (does === 'draw') mine.push(await succeed(ids.next))
    if (does === 'add the newest') await add(mine.pop())
    if (does === 'add the oldest') await add(mine.shift())
    if (does === 'lose the oldest') mine.shift()
    if (does === 'create') await add(await succeed(ids.next))
    if (does === 'read') {
      const page = await succeed(log.read({ after: reader.position, limit }))
      reader.seen.push(...numbersOf(page))
      reader.position = page.upTo
    }
  }
  return { added: ascending(added), readers }
}

export interface EventLogOptions {
  /** Number of random histories; fewer where each of them waits for ids that nobody uses. */
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
        expect(await readThrough(store.log, last, { limit })).toStrictEqual(created)
      }
      for (const [at, event] of created.entries()) {
        const rest = await readThrough(store.log, last, { after: eventNumber(event), limit: 4 })
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
      const { pets, ids, log } = store
      const idempotencyKey = held('a', 'k', 90_000)
      const first = event(await succeed(ids.next))
      await succeed(pets.add({ event: first, idempotencyKey }))
      const second = event(await succeed(ids.next))
      expect(await succeed(pets.add({ event: second, idempotencyKey }))).toMatchObject({ _tag: 'KeyTaken' })
      const last = await create(store)
      expect(await readThrough(log, eventNumber(last))).toStrictEqual([first, last])
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
      const check = async (history: History<(typeof STEPS)[number]>): Promise<void> => {
        const { stores, close } = await make()
        const { added, readers } = await run(stores, history)
        // the last create makes everything before it final, sooner or later
        const last = eventNumber(await create(stores[0]))
        for (const [at, { position, seen }] of readers.entries()) {
          const rest = await readThrough(stores[at === 0 ? 0 : 1].log, last, { after: position })
          expect([...seen, ...numbersOf({ events: rest })]).toStrictEqual([...added, last])
        }
        expect(numbersOf({ events: await readThrough(stores[1].log, last) })).toStrictEqual([...added, last])
        await close()
      }
      await fc.assert(fc.asyncProperty(anyHistory, check), { numRuns: runs, endOnFailure: true })
    })

    it('answers every one of many creates that race with one another, in whatever order their ids were drawn, and with readers [log]', async () => {
      const stores = await fresh()
      const drawn = await Promise.all(
        range(1, 20).flatMap(() => stores.map(async (store) => ({ store, id: await succeed(store.ids.next) }))),
      )
      let isOver = false
      const reading = stores.map(async ({ log }) => {
        let position = 0
        const seen: number[] = []
        while (!isOver) {
          const page = await succeed(log.read({ after: position, limit: 7 }))
          seen.push(...numbersOf(page))
          position = page.upTo
          // a store may respond within the microtasks of this turn, which would keep the creates from going on
          await new Promise((resolve) => setTimeout(resolve))
        }
        return { position, seen }
      })
      const adding = drawn.toReversed().map(({ store, id }) => addUnder(store, id))
      const creating = range(1, 30).flatMap(() => stores.map((store) => create(store)))
      const added = ascending((await Promise.all([...adding, ...creating])).map(eventNumber))
      isOver = true
      const last = await headOf(stores[0])
      for (const { position, seen } of await Promise.all(reading)) {
        const rest = await readThrough(stores[0].log, last, { after: position })
        expect([...seen, ...numbersOf({ events: rest })]).toStrictEqual(added)
      }
    })
  })
}
