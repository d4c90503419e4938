// The law of the log under random histories: nothing appears at or below a position that was given out.
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it, onTestFinished } from 'vitest'
import { addPet } from '../../domain/pets/add-pet.js'
import { succeed } from '../outcome.js'
import {
  create,
  type EventLogHarness,
  event,
  headOf,
  type LoggedStore,
  numbersOf,
  PATIENCE_MS,
  readThrough,
} from './event-log-samples.js'
import { recordOf } from './pet-samples.js'

const STEPS = ['draw', 'draw', 'add the newest', 'add the oldest', 'lose the oldest', 'create', 'read'] as const

interface Step {
  readonly by: 0 | 1
  readonly does: (typeof STEPS)[number]
  readonly limit: number
}

const histories = (): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({ by: fc.constantFrom(0, 1), does: fc.constantFrom(...STEPS), limit: fc.constantFrom(1, 2, 10) }),
    { minLength: 4, maxLength: 40, size: 'max' },
  )

/** Runs a history; returns what was added, and what each of the two readers has seen. */
const run = async (stores: readonly [LoggedStore, LoggedStore], history: readonly Step[]) => {
  const drawn: [bigint[], bigint[]] = [[], []]
  const readers = stores.map((): { position: number; seen: number[] } => ({ position: 0, seen: [] }))
  const added: number[] = []
  const add = async (by: 0 | 1, id: bigint | undefined): Promise<void> => {
    if (id === undefined) return
    const { _tag } = await succeed(stores[by].pets.add(recordOf(event(id))))
    if (_tag === 'Added') added.push(Number(id))
  }
  for (const { by, does, limit } of history) {
    const reader = readers[by]
    switch (does) {
      case 'draw':
        drawn[by].push(await succeed(stores[by].ids.next))
        break
      case 'add the newest':
        await add(by, drawn[by].pop())
        break
      case 'add the oldest':
        await add(by, drawn[by].shift())
        break
      case 'lose the oldest':
        drawn[by].shift()
        break
      case 'create':
        await add(by, await succeed(stores[by].ids.next))
        break
      case 'read': {
        if (reader === undefined) break
        const page = await succeed(stores[by].log.read({ after: reader.position, limit }))
        reader.seen.push(...numbersOf(page))
        reader.position = page.upTo
      }
    }
  }
  return { added: added.sort((one, other) => one - other), readers }
}

export const eventLogLawContract = (make: () => Promise<EventLogHarness>, runs: number): void => {
  it('shows every reader each event once, in order, whatever is drawn, added, lost and read in between [log]', {
    timeout: runs * PATIENCE_MS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(histories(), async (history) => {
        const { stores, close } = await make()
        const { added, readers } = await run(stores, history)
        // the last create makes everything before it final, sooner or later
        const last = Number((await create(stores[0])).pet.id)
        for (const [at, { position, seen }] of readers.entries()) {
          const rest = await readThrough(stores[at === 0 ? 0 : 1].log, last, { after: position })
          expect([...seen, ...numbersOf({ events: rest })]).toStrictEqual([...added, last])
        }
        expect(numbersOf({ events: await readThrough(stores[1].log, last) })).toStrictEqual([...added, last])
        await close()
      }),
      { numRuns: runs, endOnFailure: true },
    )
  })

  it('lets creates that race with readers through, each with at most two lost ids', async () => {
    const { stores, close } = await make()
    onTestFinished(close)
    const clock = { now: () => 1_000, monotonicMs: () => 0 }
    const crypto = {
      uuid: () => globalThis.crypto.randomUUID(),
      randomBytes: () => new Uint8Array(),
      sha256: String,
      isEqual: Object.is,
    }
    const creating = [addPet({ ...stores[0], clock, crypto }), addPet({ ...stores[1], clock, crypto })] as const
    const newPet = { name: 'Rex', categoryId: 7n }
    let isOver = false
    const reading = stores.map(async ({ log }) => {
      let position = 0
      const seen: number[] = []
      while (!isOver) {
        const page = await succeed(log.read({ after: position, limit: 7 }))
        seen.push(...numbersOf(page))
        position = page.upTo
        // a store may answer within the microtasks of this turn, which would keep the creates from going on
        await new Promise((resolve) => setTimeout(resolve))
      }
      return { position, seen }
    })
    const creates = Array.from({ length: 60 }, async (_, at) => {
      const { pet } = await succeed(creating[at % 2 === 0 ? 0 : 1]({ newPet, idempotencyKey: O.none }))
      return Number(pet.id)
    })
    const added = (await Promise.all(creates)).sort((one, other) => one - other)
    isOver = true
    const last = await headOf(stores[0])
    for (const { position, seen } of await Promise.all(reading)) {
      const rest = await readThrough(stores[0].log, last, { after: position })
      expect([...seen, ...numbersOf({ events: rest })]).toStrictEqual(added)
    }
  })
}
