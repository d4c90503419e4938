import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import type { ArchiveLine } from '../../../src/domain/archive/archive-line.js'
import { archiveLineText } from '../../../src/domain/archive/archive-line.js'
import { type ImportProgress, importStore } from '../../../src/domain/archive/import-store.js'
import { unusedAfter } from '../../../src/domain/events/relay-record.js'
import { heldKey, keyRecord, petRecord, state } from '../../../src/testing/contracts/archive-samples.js'
import { range, succeed } from '../../../src/testing/samples.js'
import { outage } from '../../support/domain/failing-ports.js'
import { makeMovableClock } from '../../support/domain/movable-clock.js'
import { collect, type HeldArchive, heldArchive } from '../../support/stores/archive-lines.js'

const clock = makeMovableClock()
const header: ArchiveLine = { _tag: 'Header', version: 1, exportedAt: 0 }
const end = (apiKeys: number, pets: number, idempotencyKeys: number): ArchiveLine => ({
  _tag: 'End',
  apiKeys,
  pets,
  idempotencyKeys,
})

async function* linesOf(lines: readonly (ArchiveLine | string)[]) {
  for (const line of lines) yield E.right(typeof line === 'string' ? line : archiveLineText(line))
}

const importInto = ({ archive }: Pick<HeldArchive, 'archive'>, ...lines: readonly (ArchiveLine | string)[]) =>
  collect(importStore({ ...makeMemoryStore(), archive, clock })(linesOf(lines)))

const none = { apiKeys: 0, pets: 0, idempotencyKeys: 0 }
const nothing: ImportProgress = { read: none, added: none }
const records = [keyRecord(), petRecord(1), petRecord(2), heldKey(2)]
const bad = (line: number, reason: string) => E.left({ _tag: 'LineRefused', line, reason })
const RELAY: ArchiveLine = { _tag: 'Relay', position: 3, retry: [2], hasSent: true }
const NOW = clock.now()

describe('importStore', () => {
  it('adds every record in order, counts what is new, and ends with the highest last id', async () => {
    const store = heldArchive([], (batch) => TE.right(batch.records.filter(({ _tag }) => _tag !== 'ApiKey')))
    expect(await importInto(store, header, state(9n), ...records, state(4n), end(1, 2, 1))).toStrictEqual([
      E.right({
        read: { apiKeys: 1, pets: 2, idempotencyKeys: 1 },
        added: { apiKeys: 0, pets: 2, idempotencyKeys: 1 },
      }),
    ])
    expect(store.batches).toStrictEqual([{ records, after: 0n, lastId: O.some(9n), now: NOW }])
  })

  it('lets no id of a pet be drawn again, whatever the export says', async () => {
    const store = heldArchive([])
    await importInto(store, header, state(1n), ...records, end(1, 2, 1))
    expect(store.batches).toMatchObject([{ lastId: O.some(2n) }])
  })

  it.each([
    ['a record', 1, 4],
    ['the end', 4, 7],
  ])('stops at the line of %s at which the store differs, and moves no relay', async (_, at, line) => {
    const { archive } = heldArchive([], () => TE.left({ _tag: 'RecordDiffers', at, reason: 'it differs' }))
    const store = { ...makeMemoryStore(), archive, clock }
    const lines = [header, RELAY, ...records, end(1, 2, 1)]
    const failure = E.left({ _tag: 'LineRefused', line, reason: 'it differs' })
    expect(await collect(importStore(store)(linesOf(lines)))).toStrictEqual([failure])
    expect(await succeed(store.relay.load)).toStrictEqual(O.none)
  })

  it('adds many in batches, each after the last pet of the one before, with the progress after each', async () => {
    const store = heldArchive([])
    const pets = range(1, 1_200).map((id) => petRecord(id))
    const progress = await importInto(store, header, ...pets, end(0, 1_200, 0))
    expect(store.batches.map(({ records: { length }, after, lastId }) => [length, after, lastId])).toStrictEqual([
      [500, 0n, O.none],
      [500, 500n, O.none],
      [200, 1_000n, O.some(1_200n)],
    ])
    expect(progress.map((one) => (E.isRight(one) ? one.right.read.pets : one))).toStrictEqual([500, 1_000, 1_200])
  })

  it.each<readonly [string, readonly (ArchiveLine | string)[], number, string]>([
    ['is empty', [], 1, 'the export ends before its last line: it was cut off'],
    ['is cut off', [header, petRecord(1)], 3, 'the export ends before its last line: it was cut off'],
    ['has no header', [petRecord(1)], 1, 'it is not the header of an export'],
    ['has two headers', [header, header], 2, 'it is a second header'],
    ['is of a newer format', [{ ...header, version: 3 }], 1, 'it is of format version 3; this program reads version 1'],
    ['is another file', ['hello'], 1, 'it is not well-formed at column 1'],
    [
      'has a damaged line',
      [header, petRecord(1), '{"kind":"pet"}', petRecord(2)],
      3,
      '/pet: is required; /event: is required',
    ],
    ['goes on after its end', [header, end(0, 0, 0), petRecord(1)], 3, 'it comes after the end of the export'],
    [
      'lacks a pet',
      [header, petRecord(1), end(0, 2, 0)],
      3,
      'lines are missing before it: it counts 2 pets, there are 1',
    ],
  ])(
    'names the line at which an export that %s is not one, once what precedes it is added',
    async (_, lines, line, reason) => {
      const store = heldArchive([])
      const progress = await importInto(store, ...lines)
      expect(progress.at(-1)).toStrictEqual(bad(line, reason))
      expect(store.batches.flatMap((batch) => batch.records)).toStrictEqual(
        lines.slice(0, line - 1).filter((one) => typeof one !== 'string' && ['Pet', 'ApiKey'].includes(one._tag)),
      )
    },
  )

  it('names a line that cannot be read', async () => {
    const { archive } = heldArchive([])
    const lines = async function* () {
      yield E.right(archiveLineText(header))
      yield E.left('it is not valid UTF-8')
    }
    const progress = await collect(importStore({ ...makeMemoryStore(), archive, clock })(lines()))
    expect(progress).toStrictEqual([E.right(nothing), bad(2, 'it is not valid UTF-8')])
  })

  it('stops if the store is unavailable', async () => {
    const pets = range(1, 600).map((id) => petRecord(id))
    const store = heldArchive([], () => TE.left(outage))
    expect(await importInto(store, header, ...pets)).toStrictEqual([E.left(outage)])
    expect(store.batches).toHaveLength(1)
  })

  it('sets no position beyond the last id, of a store that had lost it: the next events would be passed over', async () => {
    const store = { ...makeMemoryStore(), ...heldArchive([]) }
    await collect(importStore({ ...store, clock })(linesOf([header, state(), RELAY, petRecord(1), end(0, 1, 0)])))
    expect(await succeed(store.relay.load)).toMatchObject(O.some({ position: 1 }))
  })

  it('brings in the record of the relay after all pets, and fails if it cannot', async () => {
    const store = { ...makeMemoryStore(), ...heldArchive([]), clock }
    const cut = [header, state(3n), RELAY, petRecord(1)]
    await collect(importStore(store)(linesOf(cut)))
    expect(await succeed(store.relay.load)).toStrictEqual(O.none)
    const lines = () => linesOf([...cut, end(0, 1, 0)])
    await collect(importStore(store)(lines()))
    expect(await succeed(store.relay.load)).toMatchObject(
      O.some({ position: 3, parked: [], retry: [2], hasSent: true }),
    )
    // by now the store holds everything, and its relay has moved on
    const own = { ...unusedAfter(1), version: 2 }
    await succeed(store.relay.save(own))
    const { archive } = heldArchive([], () => TE.right([]))
    await collect(importStore({ ...store, archive })(lines()))
    expect(await succeed(store.relay.load)).toStrictEqual(O.some(own))
    const away = { ...store, relay: { ...store.relay, load: TE.left(outage) } }
    expect(await collect(importStore(away)(lines()))).toStrictEqual([E.left(outage)])
  })
})
