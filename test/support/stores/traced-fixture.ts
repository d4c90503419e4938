// The contents of the second set of stores in test/fixtures/stored, and the suite that reads them: what the first set lacks.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { nodeCrypto } from '../../../src/adapters/node/system.js'
import { authenticate } from '../../../src/domain/api-keys/authenticate.js'
import { listParked, replayEvents } from '../../../src/domain/events/backlog.js'
import { addPet } from '../../../src/domain/pets/add-pet.js'
import type { Pet } from '../../../src/domain/pets/pet.js'
import type { Store } from '../../../src/ports/store.js'
import { succeed } from '../../../src/testing/samples.js'
import { pendingIn } from '../domain/log-reads.js'

const START = Date.UTC(2026, 0, 1)
/** The instant at which the fixtures are read: each event is due, and both keys are valid. */
const NOW = START + 60_000

/** Test keys, made for these fixtures only; the second one replaces the first. */
const FIRST = 'ast_live_E7THpdje4dB_p1BjNZZfzgO48lkU2vLB5wn8fLGw33kBbcFJjdaV9bp2v0WNb'
const SECOND = 'ast_live_Au1I1ts7FIg_3JHySTm1iA8Lo79XLZpksMAbKGBfuj9m56cf8yLGTlC12jZFu'
const LINEAGE = FIRST.slice(9, 20)

const petOf = (number: bigint): Pet => ({ id: number, name: `Traced ${number}`, categoryId: number })
const traceOf = (number: number): string =>
  `00-0af7651916cd43dd8448eb211c80319${number}-b7ad6b716920333${number}-0${number % 2}`

/** `open` opens a fresh copy of the fixture and closes it when the test ends; a damaged record fails the test. */
export const tracedFixtureSuite = (name: string, open: () => Promise<Store>): void => {
  describe(`data of an earlier version, with traces and lineages: ${name}`, () => {
    const openNow = async () => ({
      ...(await open()),
      clock: { now: () => NOW, monotonicMs: () => 0 },
      crypto: nodeCrypto,
    })

    it('has the waiting events pending, with the traces of their requests', async () => {
      const pending = await pendingIn(await openNow())
      expect(pending.map(({ pet, time, traceparent }) => [pet, time, traceparent])).toStrictEqual([
        [petOf(3n), START + 3_000, traceOf(3)],
        [petOf(4n), START + 5_000, traceOf(4)],
      ])
    })

    it('returns a parked event with its trace', async () => {
      const parked = await succeed(listParked(await openNow()))
      expect(parked).toMatchObject([{ event: O.some({ pet: petOf(2n), traceparent: traceOf(2) }), reason: 'refused' }])
    })

    it('replays a sent event with its trace', async () => {
      const store = await openNow()
      expect(await succeed(replayEvents(store)({ from: START, to: O.some(START + 1_001) }))).toBe(1)
      expect((await pendingIn(store))[0]).toMatchObject({ pet: petOf(1n), traceparent: traceOf(1) })
    })

    it.each([
      ['the first key', FIRST],
      ['its successor', SECOND],
    ])('authenticates %s, with one lineage for both', async (_, text) => {
      expect(await succeed(authenticate(await openNow())(text))).toMatchObject({
        keyId: text.slice(9, 20),
        lineage: LINEAGE,
      })
    })

    it.each([
      ['before', 3n],
      ['after', 4n],
    ])('replays the create from %s the rotation, for both keys', async (when, id) => {
      const { name, categoryId } = petOf(id)
      const idempotencyKey = O.some({ lineage: LINEAGE, key: `${when} the rotation` })
      const added = await succeed(addPet(await openNow())({ newPet: { name, categoryId }, idempotencyKey }))
      expect(added).toStrictEqual({ pet: petOf(id), replayed: true })
    })
  })
}
