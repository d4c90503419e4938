import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { type ArchiveLine, archiveLineText } from '../../../src/domain/archive/archive-line.js'
import { importStore } from '../../../src/domain/archive/import-store.js'
import { unusedAfter } from '../../../src/domain/events/relay-record.js'
import type { PetRecord } from '../../../src/domain/pets/decide-add.js'
import { heldRecord, liveKey, petRecord } from '../../../src/testing/contracts/archive-samples.js'
import { event, range, succeed } from '../../../src/testing/samples.js'
import { outage } from '../../support/domain/failing-ports.js'
import { collect, heldArchive } from '../../support/stores/archive-lines.js'

const header = (lastId = 0n): ArchiveLine => ({ _tag: 'Header', version: 2, exportedAt: 0, lastId })
const end = (apiKeys: number, records: number): ArchiveLine => ({ _tag: 'End', apiKeys, records })
const line = (record: PetRecord): ArchiveLine => ({ _tag: 'PetCreated', ...record })
const pet = (id: number) => line(petRecord(id))
const key = (changes?: Parameters<typeof liveKey>[0]): ArchiveLine => ({ _tag: 'ApiKey', key: liveKey(changes) })
const RELAY: ArchiveLine = { _tag: 'Relay', position: 3, retry: [2], hasSent: true }

async function* linesOf(lines: readonly (ArchiveLine | string)[]) {
  for (const one of lines) yield E.right(typeof one === 'string' ? one : archiveLineText(one))
}

/** A store that has these records, and counts them as its pets. */
const makeTarget = (...records: readonly PetRecord[]) => {
  const store = makeMemoryStore()
  const held = heldArchive(records)
  return { ...store, ...held, pets: { ...store.pets, count: () => TE.fromIO(() => held.records().length) } }
}

const importInto = (store: Parameters<typeof importStore>[0], ...lines: readonly (ArchiveLine | string)[]) =>
  collect(importStore(store)(linesOf(lines)))

const bad = (at: number, reason: string) => E.left({ _tag: 'LineRefused', line: at, reason })
const counts = (apiKeys: number, pets: number, idempotencyKeys: number) => ({ apiKeys, pets, idempotencyKeys })

describe('importStore', () => {
  it('restores keys and records, counts what is new, and ends with the highest last id', async () => {
    const store = makeTarget(petRecord(1))
    const lines = [header(9n), key(), pet(1), line(heldRecord(2)), pet(4), end(1, 3)]
    const progress = await importInto(store, ...lines)
    expect(progress.at(-1)).toStrictEqual(E.right({ read: counts(1, 3, 1), added: counts(1, 2, 1) }))
    expect(store.records()).toStrictEqual([petRecord(1), heldRecord(2), petRecord(4)])
    expect(await succeed(store.apiKeys.list)).toStrictEqual([liveKey()])
    expect(store.ends).toStrictEqual([9n])
    expect((await importInto(store, ...lines)).at(-1)).toMatchObject(E.right({ added: counts(0, 0, 0) }))
  })

  it('lets no id of a pet be drawn again, whatever the export says', async () => {
    const store = makeTarget()
    await importInto(store, header(1n), pet(1), pet(2), end(0, 2))
    expect(store.ends).toStrictEqual([2n])
  })

  const own = (which: string) => `the store has ${which} of its own: an import fills a store without pets`
  const another = { ...petRecord(2), event: { ...event(2), eventId: 'another' } }

  it.each<readonly [string, readonly PetRecord[], number, string, number]>([
    [
      'another first pet',
      [{ ...petRecord(1), event: { ...event(1), eventId: 'x' } }],
      3,
      'the store has another record with the id 1',
      1,
    ],
    ['a pet above all', [petRecord(9)], 3, own('pets'), 1],
    ['another second pet', [petRecord(1), another], 4, 'the store has another record with the id 2', 3],
    ['more pets than the export', [petRecord(1), petRecord(9)], 6, own('1 pets'), 4],
  ])('stops at the line at which the store has %s, and moves no relay', async (_, stored, at, reason, left) => {
    const store = makeTarget(...stored)
    const progress = await importInto(store, header(), RELAY, ...[pet(1), pet(2), pet(3)], end(0, 3))
    expect(progress.at(-1)).toStrictEqual(bad(at, reason))
    expect(store.records()).toHaveLength(left)
    expect(store.ends).toStrictEqual([])
    expect(await succeed(store.relay.load)).toStrictEqual(O.none)
  })

  it('needs no equal last use of an API key, and refuses any other difference', async () => {
    const store = makeTarget()
    await succeed(store.apiKeys.add(liveKey({ lastUsedAt: O.some(9_000) })))
    await succeed(store.apiKeys.add(liveKey({ id: 'own' })))
    const used = key({ lastUsedAt: O.none })
    expect((await importInto(store, header(), used, end(1, 0))).at(-1)).toMatchObject(
      E.right({ added: counts(0, 0, 0) }),
    )
    const reason = 'the store has another API key with the id aaaaaaaaaaa: its revokedAt differs'
    expect((await importInto(store, header(), pet(1), key({ revokedAt: O.some(7_000) }))).at(-1)).toStrictEqual(
      bad(3, reason),
    )
  })

  it('restores many in batches, with the progress after each', async () => {
    const store = makeTarget()
    const progress = await importInto(store, header(), ...range(1, 1_200).map(pet), end(0, 1_200))
    const read = progress.map((one) => (E.isRight(one) ? one.right.read.pets : one))
    expect(read).toStrictEqual([501, 1_001, 1_200])
    expect(store.records()).toHaveLength(1_200)
  })

  const CUT = 'the export ends before its last line: it was cut off'

  it.each<readonly [string, readonly (ArchiveLine | string)[], number, string, number]>([
    ['is empty', [], 1, CUT, 0],
    ['is cut off', [header(), pet(1)], 3, CUT, 1],
    ['has no header', [pet(1)], 1, 'it is not the header of an export', 0],
    ['has two headers', [header(), header()], 2, 'it is a second header', 0],
    [
      'is of another format',
      [
        '{"kind":"header","format":"animal-store export","log":"pets","version":3,"exportedAt":"1970-01-01T00:00:00.000Z","lastId":5}',
      ],
      1,
      'it is of format version 3; this program reads version 2',
      0,
    ],
    ['is another file', ['hello'], 1, 'it is not well-formed at column 1', 0],
    [
      'has a damaged line',
      [header(), pet(1), pet(2), '{"kind":"pet"}', pet(3)],
      4,
      '/pet: is required; /event: is required',
      2,
    ],
    ['goes on after its end', [header(), end(0, 0), pet(1)], 3, 'it comes after the end of the export', 0],
    ['has its pets in another order', [header(), pet(2), pet(1)], 3, 'the pet 1 comes after the pet 2', 1],
    [
      'lacks a pet',
      [header(), pet(1), end(0, 2)],
      3,
      'lines are missing before it: it counts 0 API keys and 2 records, there are 0 and 1',
      1,
    ],
  ])('names the line at which an export %s, once what precedes it is added', async (_, lines, at, reason, left) => {
    const store = makeTarget()
    expect((await importInto(store, ...lines)).at(-1)).toStrictEqual(bad(at, reason))
    expect(store.records()).toHaveLength(left)
  })

  it('names a line that cannot be read', async () => {
    const lines = async function* () {
      yield E.right(archiveLineText(header()))
      yield E.left('it is not valid UTF-8')
    }
    const progress = await collect(importStore(makeTarget())(lines()))
    expect(progress.at(-1)).toStrictEqual(bad(2, 'it is not valid UTF-8'))
  })

  it('stops if a port is unavailable', async () => {
    const store = makeTarget()
    const { archive, apiKeys, pets, relay } = store
    const restoreFirst: typeof archive.restore = (record) =>
      record.event.pet.id === 1n ? archive.restore(record) : TE.left(outage)
    const many = [header(), ...range(1, 600).map(pet)]
    for (const lines of [many, many.slice(0, 400)])
      expect(
        (await importInto({ ...store, archive: { ...archive, restore: restoreFirst } }, ...lines)).at(-1),
      ).toStrictEqual(E.left(outage))
    const lines = [header(), RELAY, key(), pet(1), pet(2), end(1, 2)]
    for (const failing of [
      { archive: { ...archive, restore: () => TE.left(outage) } },
      { archive: { ...archive, restore: restoreFirst } },
      { archive: { ...archive, read: () => TE.left(outage) } },
      { archive: { ...archive, end: () => TE.left(outage) } },
      { apiKeys: { ...apiKeys, find: () => TE.left(outage) } },
      { apiKeys: { ...apiKeys, add: () => TE.left(outage), find: () => TE.right(O.none) } },
      { pets: { ...pets, count: () => TE.left(outage) } },
      { relay: { ...relay, load: TE.left(outage) } },
    ])
      expect((await importInto({ ...store, ...failing }, ...lines)).at(-1)).toStrictEqual(E.left(outage))
  })

  it('sets no position beyond the last id, of a store that had lost it: the next events would be passed over', async () => {
    const store = makeTarget()
    await importInto(store, header(), RELAY, pet(1), end(0, 1))
    expect(await succeed(store.relay.load)).toMatchObject(O.some({ position: 1 }))
  })

  it('brings in the record of the relay after all pets, once', async () => {
    const store = makeTarget()
    const cut = [header(3n), RELAY, pet(1)]
    await importInto(store, ...cut)
    expect(await succeed(store.relay.load)).toStrictEqual(O.none)
    await importInto(store, ...cut, end(0, 1))
    expect(await succeed(store.relay.load)).toMatchObject(
      O.some({ position: 3, parked: [], retry: [2], hasSent: true }),
    )
    // by now the store holds everything, and its relay has moved on
    const moved = { ...unusedAfter(1), version: 2 }
    await succeed(store.relay.save(moved))
    await importInto(store, ...cut, end(0, 1))
    expect(await succeed(store.relay.load)).toStrictEqual(O.some(moved))
  })
})
