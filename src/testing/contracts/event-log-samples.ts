// Creates, reads and histories of a log, for the suites and for tests.
import fc from 'fast-check'
import type * as O from 'fp-ts/lib/Option.js'
import { type DomainEvent, eventNumber, type PetCreated } from '../../domain/events/domain-event.js'
import { type HeldIdempotencyKey, withId } from '../../domain/pets/decide-add.js'
import type { EventLog, LogPage } from '../../ports/event-log.js'
import type { ServedStore } from '../../ports/store.js'
import { event, makeEventId, recordOf, succeed } from '../samples.js'

/** The ports that make and read a log; `relay` may be absent. */
export type LoggedStore = Pick<ServedStore, 'pets' | 'ids' | 'log' | 'relay'>

/** One empty storage. */
export interface EventLogHarness {
  /** Two stores on it, as two processes have them; or the same store twice if only one process can use it. */
  readonly stores: readonly [LoggedStore, LoggedStore]
  readonly close: () => Promise<void>
}

/** Adds a pet under the id or a higher one; returns its event. */
export const addUnder = async (
  { pets }: Pick<LoggedStore, 'pets'>,
  id: bigint,
  idempotencyKey?: O.Option<HeldIdempotencyKey>,
): Promise<PetCreated> => {
  const proposed = { ...event(id), eventId: makeEventId() }
  const added = await succeed(pets.add(recordOf(proposed, idempotencyKey)))
  if (added._tag !== 'Added' || added.id < id) throw new Error(`expected the pet ${id} to be added`)
  return withId(proposed, added.id)
}

/** Adds a pet with the next id, as a client would; returns its event. */
export const create = async (store: LoggedStore, idempotencyKey?: O.Option<HeldIdempotencyKey>): Promise<PetCreated> =>
  addUnder(store, await succeed(store.ids.next), idempotencyKey)

/** Creates one after the other. */
export const createMany = async (store: LoggedStore, count: number): Promise<readonly PetCreated[]> => {
  const created: PetCreated[] = []
  while (created.length < count) created.push(await create(store))
  return created
}

export const numbersOf = (page: Pick<LogPage, 'events'>): readonly number[] => page.events.map(eventNumber)

/** How long a store may wait for creates that never end before it gives their ids up. */
export const PATIENCE_MS = 45_000

/** Reads pages from a position until everything up to `last` is final; every page must keep the promises of a single read. */
export const readThrough = async (
  log: EventLog,
  last: number,
  { after = 0, limit = 100 }: { readonly after?: number; readonly limit?: number } = {},
): Promise<readonly DomainEvent[]> => {
  const found: DomainEvent[] = []
  const deadline = performance.now() + PATIENCE_MS
  for (let position = after; position < last; ) {
    const page = await succeed(log.read({ after: position, limit }))
    const numbers = numbersOf(page)
    const isSound =
      numbers.length <= limit &&
      page.upTo >= position &&
      numbers.every((number, at) => number > (numbers[at - 1] ?? position) && number <= page.upTo)
    if (!isSound) throw new Error(`a read after ${position} returned ${numbers.join()} up to ${page.upTo}`)
    if (page.upTo === position) {
      if (performance.now() > deadline) throw new Error(`nothing after ${position} became final`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    found.push(...page.events)
    position = page.upTo
  }
  return found
}

/** The last number that is in the log or may be. */
export const headOf = async ({ log }: Pick<LoggedStore, 'log'>): Promise<number> => (await succeed(log.head)).last

/** What two processes do, step by step. */
export type History<Does extends string> = readonly {
  readonly by: 0 | 1
  readonly does: Does
  /** Of a read, or of a batch. */
  readonly limit: number
}[]

/** Any history of these steps; one that is listed twice occurs twice as often. */
export const histories = <const Does extends string>(
  steps: readonly Does[],
  lengths: { readonly minLength: number; readonly maxLength: number },
): fc.Arbitrary<History<Does>> =>
  fc.array(
    fc.record({ by: fc.constantFrom(0, 1), does: fc.constantFrom(...steps), limit: fc.constantFrom(1, 2, 10) }),
    { ...lengths, size: 'max' },
  )
