// The position of an exported relay, brought into a store with pets and perhaps a relay of its own.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import type { ArchiveLine } from '../../../src/domain/archive/archive-line.js'
import { makePositionImport } from '../../../src/domain/archive/import-position.js'
import { LAST_NUMBER, type NumberRange } from '../../../src/domain/events/number-ranges.js'
import type { Archive } from '../../../src/ports/archive.js'
import type { RelayState } from '../../../src/ports/event-log.js'
import { createMany } from '../../../src/testing/contracts/event-log-samples.js'
import { petRecord, range, state, succeed } from '../../../src/testing/samples.js'
import { outage } from '../../support/domain/failing-ports.js'
import { ranges, saveRelay } from '../../support/domain/log-reads.js'

/** A store with two pets, whose counter the import raises from 2 to the last id of the export. */
const scene = async () => {
  const store = makeMemoryStore()
  await createMany(store, 2)
  let last = 2
  const archive: Pick<Archive, 'merge'> = {
    merge: (records) => async () =>
      E.right(
        records.map((record) => {
          if (record._tag !== 'StoreState' || Number(record.lastId) <= last) return { _tag: 'Unchanged' }
          const skipped: NumberRange = [last + 1, Number(record.lastId)]
          last = Number(record.lastId)
          return { _tag: 'Updated', skipped }
        }),
      ),
  }
  const record = async () => O.toUndefined(await succeed(store.relay.load))
  return { store, record, position: makePositionImport({ ...store, archive }) }
}

const pets = (...ids: readonly number[]): readonly ArchiveLine[] => ids.map((id) => petRecord(id))
const relayLine = (pending: readonly NumberRange[], parked: readonly number[] = []): ArchiveLine => ({
  _tag: 'Relay',
  pending,
  parked: parked.map((number) => ({ number, reason: 'no' })),
  hasSent: true,
})

describe('makePositionImport', () => {
  it('leaves a store alone if no relay has run on either', async () => {
    const { record, position } = await scene()
    expect(await position.before([state(9n), ...pets(3, 9)], 0)).toStrictEqual(E.right(undefined))
    expect(await position.after()).toStrictEqual(E.right(undefined))
    await position.end()
    expect(await record()).toBeUndefined()
  })

  it('takes the position over into a store without a relay, and leaves its own events alone', async () => {
    const { record, position } = await scene()
    await position.before([relayLine(ranges([4, 5], [8, LAST_NUMBER]), [6]), state(9n), ...pets(...range(3, 9))], 0)
    expect(await record()).toMatchObject({
      pending: ranges([4, 5], [8, LAST_NUMBER]),
      parked: [{ number: 6, reason: 'no' }],
      hasSent: true,
      holder: 'import',
    })
    await position.end()
    expect(await record()).not.toHaveProperty('holder')
  })

  it('sends what waited in the export, not what was sent there, and keeps what waits here', async () => {
    const { store, record, position } = await scene()
    await saveRelay(store, 1)
    await position.before([relayLine(ranges([5, 5], [7, LAST_NUMBER])), state(6n), ...pets(4, 5, 6)], 0)
    await position.before(pets(7, 8), 0)
    expect((await record())?.pending).toStrictEqual(ranges([2, 2], [5, 5], [7, LAST_NUMBER]))
  })

  it('leaves events of a store without a relay alone in one that has a relay', async () => {
    const { store, record, position } = await scene()
    await saveRelay(store, 2)
    await position.before([state(6n), ...pets(4, 5, 6)], 0)
    expect((await record())?.pending).toStrictEqual([[7, LAST_NUMBER]])
  })

  it('unites again once the pets are there: a relay that took over meanwhile has passed their numbers', async () => {
    const { store, record, position } = await scene()
    await saveRelay(store, 2)
    await position.before([relayLine([[4, LAST_NUMBER]]), state(6n), ...pets(4, 5)], 0)
    await saveRelay(store, 6)
    await position.after()
    expect((await record())?.pending).toStrictEqual(ranges([4, 5], [7, LAST_NUMBER]))
  })

  it('reads the states of version 1', async () => {
    const { record, position } = await scene()
    await position.before(
      [
        { ...state(6n), isRelayed: true, hasSent: true },
        petRecord(3),
        { ...petRecord(4), isWaiting: true },
        { ...petRecord(5), parkedBecause: 'no' },
      ],
      0,
    )
    expect(await record()).toMatchObject({
      pending: ranges([4, 4], [7, LAST_NUMBER]),
      parked: [{ number: 5, reason: 'no' }],
      hasSent: true,
    })
  })

  it('does not release a relay that has taken over', async () => {
    const { store, record, position } = await scene()
    await saveRelay(store, 2)
    await position.before(pets(3), 0)
    const held = await record()
    if (held === undefined) throw new Error('expected a record')
    await succeed(store.relay.save({ ...held, holder: 'relay', version: held.version + 1 }))
    await position.end()
    expect(await record()).toMatchObject({ holder: 'relay' })
  })

  it.each<readonly [string, Partial<RelayState>]>([
    ['load', { load: TE.left(outage) }],
    ['save', { save: () => TE.left(outage) }],
  ])('reports an outage of %s', async (_, away) => {
    const { store } = await scene()
    await saveRelay(store, 2)
    const archive = { merge: () => TE.right([]) }
    const position = makePositionImport({ ...store, archive, relay: { ...store.relay, ...away } })
    expect(await position.before(pets(3), 0)).toStrictEqual(E.left(outage))
    await position.end()
  })
})
