// The contract of the relay's record.
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { MAX_PARKED, MAX_REASON_LENGTH, type RelayRecord, unusedAfter } from '../../domain/events/relay-record.js'
import type { RelayState } from '../../ports/event-log.js'
import { range, succeed } from '../samples.js'
import { relayRecord } from './event-log-samples.js'
import { opened } from './store.contract.js'

export interface RelayStateHarness {
  /** Two ports over one storage, empty at first; or the same port twice if only one process can use it. */
  readonly relays: readonly [RelayState, RelayState]
  readonly close: () => Promise<void>
}

const record = (version: number, changes: Partial<RelayRecord> = {}): RelayRecord => ({
  ...unusedAfter(0),
  version,
  ...changes,
})

/** The vitest suite; `make` opens an empty storage for each test. */
export const relayStateContract = (name: string, make: () => Promise<RelayStateHarness>): void => {
  describe(`RelayState: ${name}`, () => {
    const fresh = async (): Promise<RelayStateHarness['relays']> => (await opened(make)).relays

    it('has no record at first, saves the first version once, and then only the next one', async () => {
      const [one, other] = await fresh()
      for (const relay of [one, other]) expect(await succeed(relay.load)).toStrictEqual(O.none)
      expect(await succeed(one.save(record(2)))).toBe(false)
      expect(await succeed(one.save(record(1, { holder: 'one' })))).toBe(true)
      expect(await succeed(other.save(record(1, { holder: 'other' })))).toBe(false)
      expect(await succeed(other.load)).toStrictEqual(O.some(record(1, { holder: 'one' })))
      expect(await succeed(other.save(record(2, { hasSent: true })))).toBe(true)
      for (const stale of [1, 2, 4]) expect(await succeed(one.save(record(stale, { holder: 'one' })))).toBe(false)
      expect(await succeed(one.load)).toStrictEqual(O.some(record(2, { hasSent: true })))
    })

    it('lets one of many concurrent saves of a version through', async () => {
      const relays = await fresh()
      for (const version of [1, 2, 3]) {
        const holders = range(1, 10).map((turn) => `relay ${turn}`)
        const areSaved = await Promise.all(
          holders.map((holder, turn) => succeed(relays[turn % 2 === 0 ? 0 : 1].save(record(version, { holder })))),
        )
        const saved = holders.filter((_, turn) => areSaved[turn])
        expect(saved).toHaveLength(1)
        expect(await succeed(relays[0].load)).toStrictEqual(O.some(record(version, { holder: saved[0] ?? '' })))
      }
    })

    it('returns any record exactly as it was saved', async () => {
      const [one, other] = await fresh()
      let version = 0
      await fc.assert(
        fc.asyncProperty(relayRecord(), async (any) => {
          version += 1
          const saved = { ...any, version }
          expect(await succeed(one.save(saved))).toBe(true)
          expect(await succeed(other.load)).toStrictEqual(O.some(saved))
        }),
        { numRuns: 20 },
      )
    })

    it('holds the largest record', async () => {
      const [relay] = await fresh()
      const largest = record(1, {
        position: Number.MAX_SAFE_INTEGER,
        retry: range(1, MAX_PARKED).map((at) => Number.MAX_SAFE_INTEGER - MAX_PARKED + at),
        parked: range(1, MAX_PARKED).map((number) => ({ number, reason: '\u{20ac}'.repeat(MAX_REASON_LENGTH) })),
        attempts: { number: Number.MAX_SAFE_INTEGER, count: 4 },
        holder: 'relay',
      })
      expect(await succeed(relay.save(largest))).toBe(true)
      expect(await succeed(relay.load)).toStrictEqual(O.some(largest))
    })
  })
}
