// Creates, readers and random histories of a log, for the suites and for tests.
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import type * as O from 'fp-ts/lib/Option.js'
import { type DomainEvent, eventNumber, type PetCreated } from '../../domain/events/domain-event.js'
import { type HeldIdempotencyKey, withId } from '../../domain/pets/decide-add.js'
import type { EventLog, LogPage } from '../../ports/event-log.js'
import type { Store } from '../../ports/store.js'
import { event, recordOf, succeed } from '../samples.js'

/** The ports that write and read a log; `relay` may be absent. */
export type LoggedStore = Pick<Store, 'pets' | 'ids' | 'log'> & Partial<Pick<Store, 'relay'>>

type Creating = Pick<Store, 'pets' | 'ids'>

/** One empty storage. */
export interface EventLogHarness {
  /** Two stores over it, as in two processes; or the same store twice if only one process can use it. */
  readonly stores: readonly [LoggedStore, LoggedStore]
  readonly close: () => Promise<void>
}

/** Adds a pet under the id or a higher one; returns its event. */
export const addUnder = async (
  { pets }: Pick<Creating, 'pets'>,
  id: bigint,
  idempotencyKey?: O.Option<HeldIdempotencyKey>,
): Promise<PetCreated> => {
  const proposed = { ...event(id), eventId: crypto.randomUUID() }
  const added = await succeed(pets.add(recordOf(proposed, idempotencyKey)))
  if (added._tag !== 'Added' || added.id < id) throw new Error(`expected the pet ${id} to be added`)
  return withId(proposed, added.id)
}

/** Adds a pet with the next id, as a client would; returns its event. */
export const create = async (store: Creating, idempotencyKey?: O.Option<HeldIdempotencyKey>): Promise<PetCreated> =>
  addUnder(store, await succeed(store.ids.next), idempotencyKey)

export const createMany = async (store: Creating, count: number): Promise<readonly PetCreated[]> => {
  const created: PetCreated[] = []
  while (created.length < count) created.push(await create(store))
  return created
}

export const numbersOf = (page: Pick<LogPage, 'events'>): readonly number[] => page.events.map(eventNumber)

/** Milliseconds for which a store may wait for creates that never end before it gives up their ids. */
export const PATIENCE_MS = 45_000

/** Reads a log from a position on; checks that every page fulfils the contract of a single read. */
export const makeReader = (log: EventLog, after = 0) => {
  const seen: DomainEvent[] = []
  let position = after

  const read = async (limit: number): Promise<void> => {
    const { events, upTo } = await succeed(log.read({ after: position, limit }))
    const numbers = numbersOf({ events })
    const isSound =
      numbers.length <= limit &&
      upTo >= position &&
      numbers.every((number, at) => number > (numbers[at - 1] ?? position) && number <= upTo)
    if (!isSound) throw new Error(`a read after ${position} returned ${numbers.join()} up to ${upTo}`)
    seen.push(...events)
    position = upTo
  }

  /** All events seen, once everything up to `last` is final. */
  const through = async (last: number, limit = 100): Promise<readonly DomainEvent[]> => {
    const deadline = performance.now() + PATIENCE_MS
    while (position < last) {
      const before = position
      await read(limit)
      if (position > before) continue
      if (performance.now() > deadline) throw new Error(`nothing after ${position} became final`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return seen
  }

  return { read, through }
}

/** All events of a log, once everything up to `last` is final. */
export const readThrough = (log: EventLog, last: number) => makeReader(log).through(last)

/** Reads again and again until the work is done. */
export const readMeanwhile = async <A>(reads: readonly (() => Promise<void>)[], work: () => Promise<A>): Promise<A> => {
  let isOver = false
  const reading = reads.map(async (read) => {
    while (!isOver) {
      await read()
      // lets the work proceed: a store may respond within the microtasks of this turn
      await setImmediate()
    }
  })
  const working = work().finally(() => {
    isOver = true
  })
  await Promise.all([working, ...reading])
  return working
}

/** The last number that may be in the log. */
export const headOf = async ({ log }: Pick<LoggedStore, 'log'>): Promise<number> => (await succeed(log.head)).last

/** Random histories of two processes made of these steps. A step that is listed twice occurs twice as often. */
export const histories = <const Does extends string>(
  steps: readonly Does[],
  lengths: { readonly minLength: number; readonly maxLength: number },
) => {
  // the limit of a read or batch
  const limit = fc.constantFrom(1, 2, 10)
  const step = fc.record({ by: fc.constantFrom<(0 | 1)[]>(0, 1), does: fc.constantFrom(...steps), limit })
  return fc.array(step, { ...lengths, size: 'max' })
}
