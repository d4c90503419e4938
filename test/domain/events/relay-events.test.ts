import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { PetCreated } from '../../../src/domain/events/pet-created.js'
import { type RelayPass, relayEvents } from '../../../src/domain/events/relay-events.js'
import type { Delivery } from '../../../src/ports/event-publisher.js'
import type { Ports } from '../../../src/ports/index.js'
import type { ClaimedEvent, ClaimRequest } from '../../../src/ports/outbox.js'
import { eventOf, numbered, recordOf } from '../../../src/testing/contracts/pet-samples.js'
import { fail, succeed } from '../../../src/testing/outcome.js'

const settings = { batchSize: 10, leaseMs: 30_000, attemptsBeforeParking: 3, backOff: { initialMs: 100, maxMs: 5_000 } }
const delivered: Delivery = { _tag: 'Delivered' }
const failed: Delivery = { _tag: 'Failed', reason: 'the broker is down' }
const poisoned: Delivery = { _tag: 'Poisoned', reason: 'too large' }
const pass = (members: Partial<RelayPass>): RelayPass => ({
  claimed: 0,
  sent: 0,
  failed: 0,
  failure: O.none,
  parked: [],
  ...members,
})

/** A store with events 1 to `count`, a scripted broker, and a clock that the test sets. */
const scene = async (count: number, answer: (event: PetCreated, attempt: number) => Delivery) => {
  const { pets, outbox } = makeMemoryStore({ isRelayed: true })
  for (let id = 1; id <= count; id += 1) await succeed(pets.add(recordOf(eventOf(numbered(id)))))
  const attempts: number[] = []
  let now = 0
  const ports: Pick<Ports, 'outbox' | 'publisher' | 'clock' | 'crypto'> = {
    outbox,
    clock: { now: () => now, monotonicMs: () => now },
    crypto: { uuid: () => '', sha256: () => '', isEqual: () => false, randomBytes: () => Uint8Array.of(0, 0, 0, 0) },
    publisher: {
      publish: (events) => async () =>
        events.map((one) => {
          const id = Number(one.pet.id)
          attempts.push(id)
          return answer(one, attempts.filter((other) => other === id).length)
        }),
    },
  }
  const relayAt = (instant: number) => {
    now = instant
    return succeed(relayEvents(ports)(settings))
  }
  return { ports, outbox, attempts, relayAt }
}

describe('relayEvents', () => {
  it('publishes the events of a pass by the ids of their pets, whenever they are due', async () => {
    const { relayAt, attempts } = await scene(4, ({ pet }, attempt) =>
      pet.id < 3n && attempt === 1 ? failed : delivered,
    )
    await relayAt(0)
    await relayAt(1_000)
    expect(attempts).toStrictEqual([1, 2, 3, 4, 1, 2])
    const { ports, attempts: reversed } = await scene(3, () => delivered)
    const { claim } = ports.outbox
    const outbox = {
      ...ports.outbox,
      claim: (request: ClaimRequest) => TE.map(RA.reverse<ClaimedEvent>)(claim(request)),
    }
    await succeed(relayEvents({ ...ports, outbox })(settings))
    expect(reversed).toStrictEqual([1, 2, 3])
  })

  it('publishes each event once, oldest first', async () => {
    const { relayAt, attempts } = await scene(12, () => delivered)
    expect(await relayAt(0)).toStrictEqual(pass({ claimed: 10, sent: 10 }))
    expect(await relayAt(0)).toStrictEqual(pass({ claimed: 2, sent: 2 }))
    expect(await relayAt(1_000_000)).toStrictEqual(pass({}))
    expect(attempts).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('does not call the broker while no event is due', async () => {
    const { ports } = await scene(0, () => delivered)
    const batches: number[] = []
    const publisher: Ports['publisher'] = {
      publish: (events) => async () => {
        batches.push(events.length)
        return []
      },
    }
    expect(await succeed(relayEvents({ ...ports, publisher })(settings))).toStrictEqual(pass({}))
    expect(batches).toStrictEqual([])
  })

  it('tries a failed event again after its back-off, not before', async () => {
    const { relayAt } = await scene(1, (_, attempt) => (attempt < 3 ? failed : delivered))
    const down = pass({ claimed: 1, failed: 1, failure: O.some('the broker is down') })
    expect(await relayAt(0)).toStrictEqual(down)
    expect(await relayAt(49)).toStrictEqual(pass({}))
    expect(await relayAt(50)).toStrictEqual(down)
    expect(await relayAt(149)).toStrictEqual(pass({}))
    expect(await relayAt(150)).toStrictEqual(pass({ claimed: 1, sent: 1 }))
  })

  it('never parks an event because the broker fails, and never waits longer than the maximum', async () => {
    const { relayAt, outbox } = await scene(2, () => failed)
    for (let tries = 0; tries < 100; tries += 1) expect((await relayAt(tries * 5_000)).failed).toBe(2)
    expect(await succeed(outbox.backlog)).toMatchObject({ size: 2, parked: 0 })
  })

  it('parks a poisoned event after its last attempt, with the reason, and sends the others', async () => {
    const { relayAt, outbox, attempts } = await scene(3, (one) => (one.pet.id === 2n ? poisoned : delivered))
    expect(await relayAt(0)).toStrictEqual(pass({ claimed: 3, sent: 2 }))
    expect(await relayAt(10_000)).toStrictEqual(pass({ claimed: 1 }))
    const parked = [{ event: eventOf(numbered(2)), reason: 'too large' }]
    expect(await relayAt(20_000)).toStrictEqual(pass({ claimed: 1, parked }))
    expect(await succeed(outbox.parked)).toStrictEqual(parked)
    expect(await relayAt(1_000_000)).toStrictEqual(pass({}))
    expect(attempts).toStrictEqual([1, 2, 3, 2, 2])
  })

  it('fails without publishing if the outbox is unavailable', async () => {
    const { ports, attempts } = await scene(1, () => delivered)
    const away = unavailable('no claim')
    const outbox = { ...ports.outbox, claim: () => TE.left(away) }
    expect(await fail(relayEvents({ ...ports, outbox })(settings))).toBe(away)
    expect(attempts).toStrictEqual([])
  })

  it('fails if a sent event cannot be settled, and sends it again once the lease has expired', async () => {
    const { ports, relayAt, attempts } = await scene(1, () => delivered)
    const away = unavailable('no settlement')
    const outbox = { ...ports.outbox, settle: () => TE.left(away) }
    expect(await fail(relayEvents({ ...ports, outbox })(settings))).toBe(away)
    expect(await relayAt(29_999)).toStrictEqual(pass({}))
    expect(await relayAt(30_000)).toStrictEqual(pass({ claimed: 1, sent: 1 }))
    expect(attempts).toStrictEqual([1, 1])
  })

  it('claims a leased event at once after the clock stepped back, but not after a step as small as clock skew', async () => {
    const { ports, relayAt } = await scene(1, () => delivered)
    const relayUnsettled = async (instant: number) => {
      const outbox = { ...ports.outbox, settle: () => TE.left(unavailable('no settlement')) }
      await fail(relayEvents({ ...ports, outbox, clock: { now: () => instant, monotonicMs: () => 0 } })(settings))
    }
    await relayUnsettled(10_000_000)
    expect(await relayAt(9_970_000)).toStrictEqual(pass({}))
    expect(await relayAt(9_969_999)).toStrictEqual(pass({ claimed: 1, sent: 1 }))
  })

  it('eventually sends or parks every event, whatever the broker replies', async () => {
    const answers = fc.array(fc.array(fc.constantFrom(delivered, failed, poisoned), { maxLength: 6 }), {
      maxLength: 15,
    })
    await fc.assert(
      fc.asyncProperty(answers, async (scripts) => {
        const { relayAt, outbox, attempts } = await scene(
          scripts.length,
          (one, attempt) => scripts[Number(one.pet.id) - 1]?.[attempt - 1] ?? delivered,
        )
        let settled = 0
        for (let round = 0; round < 30; round += 1) {
          const { sent, parked } = await relayAt(round * 5_000)
          settled += sent + parked.length
        }
        expect(settled).toBe(scripts.length)
        expect(new Set(attempts).size).toBe(scripts.length)
        expect(await succeed(outbox.backlog)).toMatchObject({ size: 0 })
        for (const { event: parked } of await succeed(outbox.parked)) {
          const tries = attempts.filter((id) => BigInt(id) === parked.pet.id).length
          expect(scripts[Number(parked.pet.id) - 1]?.[tries - 1]).toBe(poisoned)
          expect(tries).toBeGreaterThanOrEqual(settings.attemptsBeforeParking)
        }
      }),
    )
  })
})
