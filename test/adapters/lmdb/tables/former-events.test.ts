import * as O from 'fp-ts/lib/Option.js'
import type { Database } from 'lmdb'
import { beforeEach, describe, expect, it } from 'vitest'
import { RELAY_KEY } from '../../../../src/adapters/lmdb/tables/meta-table.js'
import { openRoot } from '../../../../src/adapters/lmdb/tables/root.js'
import { KEY_ONLY } from '../../../../src/adapters/lmdb/tables/tables.js'
import { verifyStore } from '../../../../src/adapters/lmdb/verify-store.js'
import { everythingAfter, isIn, LAST_NUMBER } from '../../../../src/domain/events/number-ranges.js'
import { MAX_PARKED, MAX_REASON_LENGTH, type RelayRecord } from '../../../../src/domain/events/relay-record.js'
import { fail, range, succeed } from '../../../../src/testing/samples.js'
import { temporaryPath } from '../../../support/runner/temporary-folder.js'
import { openStoreIn, writeTables } from '../open-store.js'

const STATE = Buffer.from('{"failures":0,"dueAt":7000,"time":7000}')
const LAST = 30_000
/** These are pending in any case. */
const LATER = everythingAfter(LAST)

interface Former {
  readonly unsent?: readonly number[]
  readonly parked?: readonly (readonly [number, string])[]
  readonly marks?: readonly string[]
}

describe('the states of events of former versions', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
    await writeTables(folder, ({ pets }) => pets.putSync(LAST, Buffer.from('{}')))
  })

  const withTables = async <A>(
    use: (table: (name: string) => Database<Buffer, string | number | number[]>) => A,
  ): Promise<A> => {
    const root = await openRoot(folder, { readOnly: false })
    try {
      return root.transactionSync(() => use((name) => root.openDB(name, { encoding: 'binary' })))
    } finally {
      await root.close()
    }
  }
  const write = ({ unsent = [], parked = [], marks = [] }: Former): Promise<void> =>
    withTables((table) => {
      for (const id of unsent) {
        table('unsent').putSync(id, STATE)
        table('unsent.due').putSync([7_000, id], KEY_ONLY)
        table('unsent.ages').putSync([7_000, id], KEY_ONLY)
      }
      for (const [id, reason] of parked) table('parked').putSync(id, Buffer.from(reason))
      for (const mark of marks) table('meta').putSync(mark, KEY_ONLY)
    })
  const rowsLeft = (): Promise<readonly number[]> =>
    withTables((table) =>
      ['unsent', 'unsent.due', 'unsent.ages', 'parked'].map((name) => [...table(name).getKeys()].length),
    )
  const upgraded = async (): Promise<RelayRecord | undefined> => {
    const store = await openStoreIn(folder)
    const record = O.toUndefined(await succeed(store.relay.load))
    await store.close()
    return record
  }
  const RECORD = { pending: LATER, parked: [], hasSent: false, leaseMs: 0, version: 1 }

  it('leave no record if the store never had a relay', async () => {
    await write({ unsent: [] })
    expect(await upgraded()).toBeUndefined()
  })

  it('begin after the last event if all were sent', async () => {
    await write({ marks: ['relayed', 'events.sent'] })
    expect(await upgraded()).toStrictEqual({ ...RECORD, hasSent: true })
  })

  it('become the position of the relay, once, and are gone', async () => {
    await write({ unsent: [3, 4, 5, 9], parked: [[7, 'no'.repeat(MAX_REASON_LENGTH)]], marks: ['relayed'] })
    const record = await upgraded()
    expect(record).toStrictEqual({
      ...RECORD,
      pending: [[3, 5], [9, 9], ...LATER],
      parked: [{ number: 7, reason: 'no'.repeat(MAX_REASON_LENGTH / 2) }],
    })
    expect(await rowsLeft()).toStrictEqual([0, 0, 0, 0])
    expect(await upgraded()).toStrictEqual(record)
  })

  it('of a process that ran beside this version join the position when the store is opened again', async () => {
    await write({ unsent: [3], parked: [[7, 'no']] })
    const record = await upgraded()
    await write({ unsent: [5], parked: [[9, 'not yet']] })
    const joined = await upgraded()
    expect(joined).toStrictEqual({
      ...RECORD,
      pending: [[3, 3], [5, 5], ...LATER],
      parked: [...(record?.parked ?? []), { number: 9, reason: 'not yet' }],
      version: 2,
    })
    expect(await rowsLeft()).toStrictEqual([0, 0, 0, 0])
    expect(await upgraded()).toStrictEqual(joined)
  })

  it('stay while the record of the relay is damaged', async () => {
    await write({ unsent: [3] })
    await upgraded()
    await writeTables(folder, ({ meta }) => meta.putSync(RELAY_KEY, Buffer.from('{')))
    await write({ unsent: [5] })
    const store = await openStoreIn(folder)
    await fail(store.relay.load)
    expect(await rowsLeft()).toStrictEqual([1, 1, 1, 0])
  })

  it('are counted by `verify` before this version has opened the store, which stays as it was', async () => {
    await write({ unsent: [3, 4, 5, 9], parked: [[7, 'no']] })
    expect(await verifyStore(folder)).toMatchObject({ waiting: 4, parked: 1 })
    expect(await rowsLeft()).toStrictEqual([4, 4, 4, 1])
  })

  it('that are scattered are joined: some events are sent again, and none is lost', async () => {
    const unsent = range(1, LAST / 2).map((half) => 2 * half - 1)
    await write({ unsent })
    const { pending = [] } = (await upgraded()) ?? {}
    expect(unsent.filter((id) => !isIn(pending, id))).toStrictEqual([])
    expect(pending.length).toBeLessThanOrEqual(1_000)
    expect(pending.at(-1)?.[1]).toBe(LAST_NUMBER)
    expect(await rowsLeft()).toStrictEqual([0, 0, 0, 0])
  })

  it('that are parked beyond the room for them are sent again', async () => {
    await write({ unsent: [1], parked: range(2, MAX_PARKED + 200).map((id) => [2 * id, 'no']) })
    const { pending, parked } = (await upgraded()) ?? {}
    expect(parked?.map(({ number }) => number)).toStrictEqual(range(2, MAX_PARKED + 1).map((id) => 2 * id))
    expect(pending?.slice(0, 2)).toStrictEqual([
      [1, 1],
      [2 * (MAX_PARKED + 2), 2 * (MAX_PARKED + 2)],
    ])
  })
})
