// The writer thread: one transaction for many writes, its end, and the end of the store.
import { statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, unlessBusy } from '../../../src/adapters/sqlite/file/connection.js'
import { identify } from '../../../src/adapters/sqlite/file/files.js'
import { valuesOf } from '../../../src/adapters/sqlite/records.js'
import { makeWriter } from '../../../src/adapters/sqlite/writing/writer.js'
import type { Notice } from '../../../src/ports/notice.js'
import type { Store } from '../../../src/ports/store.js'
import { added, anyPet, held, idsOf, numbered, range, record, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { change, openStoreIn } from './open-store.js'

describe('the thread that writes', () => {
  let folder: string
  let path: string
  let notices: Notice[]
  let store: Store
  beforeEach(async () => {
    folder = await temporaryPath()
    path = `${folder}/animal-store.db`
    notices = []
    store = await openStoreIn(folder, { notify: (notice) => void notices.push(notice) })
  })

  /** A second writer, with the sizes of its groups. */
  const openWriter = (limitMs = 2_000) => {
    const sizes: number[] = []
    const observer = { watch: () => {}, command: () => {}, batch: (_: string, size: number) => void sizes.push(size) }
    const writer = makeWriter({ path, files: identify(path), limitMs, notify: () => {}, observer })
    return { writer, sizes, write: (id: number) => writer.write('add', valuesOf(record(numbered(id))))() }
  }

  it('writes all that was asked for before the store is closed, to the database itself, and nothing afterwards', async () => {
    const adding = range(1, 1_200).map((id) => store.pets.add(record(numbered(id)))())
    await store.close()
    // the SQLite of Node 24 also removes the empty file
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
    expect(await Promise.all(adding)).toStrictEqual(range(1, 1_200).map((id) => E.right(added(id))))
    expect(await store.pets.add(record(numbered(9)))()).toMatchObject({
      _tag: 'Left',
      left: { cause: { message: 'the store is closed' } },
    })
    expect(notices).toStrictEqual([])
  })

  it('adds all of a group beside one that fails, whose traces are gone', async () => {
    const trigger = "BEFORE INSERT ON pets WHEN new.name = 'no' BEGIN SELECT raise(FAIL, 'no'); END"
    change(folder, ({ exec }) => exec(`CREATE TRIGGER no ${trigger}`))
    // the first is written alone, the others as the next group
    const adding = ['Rex', 'Rex', 'no', 'Rex'].map((name, at) =>
      store.pets.add(record(numbered(at + 1, { ...anyPet, name }), held('a', `key ${at}`)))(),
    )
    const failed = { _tag: 'Left', left: { cause: { message: 'no' } } }
    const wanted = [E.right(added(1)), E.right(added(2)), failed, E.right(added(4))]
    expect(await Promise.all(adding)).toMatchObject(wanted)
    expect(await idsOf(store.pets, {})).toStrictEqual([4, 2, 1])
    change(folder, ({ first }) => expect(first('SELECT count(*) FROM idempotency_keys')).toStrictEqual([3n]))
  })

  it('writes all creates of a turn together while creates overlap, also those before a close', async () => {
    const { writer, sizes, write } = openWriter()
    const add = (from: number, to: number) => Promise.all(range(from, to).map(write))
    await add(1, 1)
    await add(2, 9)
    await add(10, 17)
    await add(18, 18)
    await add(19, 26)
    const last = add(27, 34)
    await Promise.resolve()
    await writer.close()
    expect(await last).toStrictEqual(range(27, 34).map((id) => E.right(BigInt(id))))
    expect(sizes).toStrictEqual([1, 1, 7, 8, 1, 1, 7, 8])
  })

  it('adds to a group what arrives while another process holds the lock, or refuses all of it together', async () => {
    const { writer, sizes, write } = openWriter()
    const other = connect(path, { readOnly: false })
    const lock = (): void => unlessBusy(() => other.exec('BEGIN IMMEDIATE'))
    const addBesideLock = async (unlock: () => unknown, ...ids: readonly number[]) => {
      lock()
      const adding = []
      for (const id of ids) {
        adding.push(write(id))
        await nextTurn()
      }
      await unlock()
      return Promise.all(adding)
    }
    await write(1)
    lock()
    other.exec("INSERT INTO api_keys VALUES ('other', '{}'); COMMIT")
    await write(2)
    const written = await addBesideLock(() => other.exec("UPDATE api_keys SET record = '[]'; COMMIT"), 3, 4, 5)
    expect(written).toStrictEqual([3n, 4n, 5n].map((id) => E.right(id)))
    const refused = await addBesideLock(() => vi.waitFor(() => expect(sizes).toHaveLength(4), 20_000), 6, 7, 8)
    expect(refused.filter(E.isRight)).toStrictEqual([])
    other.exec('COMMIT')
    other.close()
    await writer.close()
    expect(await idsOf(store.pets, {})).toStrictEqual([5, 4, 3, 2, 1])
    expect(sizes).toStrictEqual([1, 1, 3, 3])
  })

  it('gives creates that wait ids above those that another process uses meanwhile', async () => {
    const { writer, write } = openWriter()
    await write(1)
    const other = connect(path, { readOnly: false })
    unlessBusy(() => other.exec('BEGIN IMMEDIATE'))
    const adding = range(2, 5).map(write)
    await nextTurn()
    other.exec('UPDATE store SET last_id = 100; COMMIT')
    other.close()
    expect(await Promise.all(adding)).toStrictEqual(range(101, 104).map((id) => E.right(BigInt(id))))
    await writer.close()
  })

  it('never executes a write whose caller was told, while it was queued, that it is too late', async () => {
    const { writer, sizes, write } = openWriter(50)
    // takes many times as long
    const work = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT max(i) FROM n'
    change(folder, ({ exec }) =>
      exec(`CREATE TRIGGER slow AFTER INSERT ON pets WHEN new.id = 1 BEGIN SELECT (${work}); END`),
    )
    const adding = [write(1)]
    await nextTurn()
    adding.push(write(2), write(3))
    expect((await Promise.all(adding)).map(E.isLeft)).toStrictEqual([true, true, true])
    await vi.waitFor(() => expect(sizes).toHaveLength(1), 20_000)
    await writer.close()
    expect([sizes, await idsOf(store.pets, {})]).toStrictEqual([[1], [1]])
  })

  it('answers every call, with one fatal notice, if it is ended from outside', async () => {
    const threads: Worker[] = []
    // Node tells of the thread of the store in the next turn
    await nextTurn()
    process.once('worker', (thread: Worker) => threads.push(thread))
    const fatal: Notice[] = []
    const files = identify(path)
    const writer = makeWriter({ path, files, limitMs: 60_000, notify: (notice) => void fatal.push(notice) })
    const write = (id: number) => writer.write('add', valuesOf(record(numbered(id))))()
    expect(await write(1)).toStrictEqual(E.right(1n))
    const other = connect(path, { readOnly: false })
    unlessBusy(() => other.exec('BEGIN IMMEDIATE'))
    const adding = [write(2), write(3)]
    await nextTurn()
    await threads[0]?.terminate()
    expect(await Promise.all([...adding, write(4)])).toMatchObject(
      range(2, 4).map(() => ({ left: { cause: { message: 'the thread that writes has ended' } } })),
    )
    expect(fatal).toMatchObject([{ level: 'fatal', details: { reason: 'the thread that writes has ended' } }])
    other.close()
    await writer.close()
  })

  it('ends with one fatal notice, and answers every call, if its program fails', async () => {
    const fatal: Notice[] = []
    const notify = (notice: Notice): void => void fatal.push(notice)
    // a folder instead of the database
    const writer = makeWriter({ path: folder, files: identify(folder), limitMs: 2_000, notify })
    const results = await Promise.all(range(1, 3).map((id) => writer.write('add', valuesOf(record(numbered(id))))()))
    const reason = expect.stringContaining('the thread that writes failed: ') as string
    expect(results.map((result) => E.isLeft(result))).toStrictEqual([true, true, true])
    expect(fatal).toStrictEqual([
      {
        level: 'fatal',
        message: 'the embedded store cannot be used any more',
        needsOperator: false,
        details: { path: folder, reason },
      },
    ])
    await writer.close()
  })

  it('holds no lock while the main thread is blocked', async () => {
    const adding = range(1, 50).map((id) => store.pets.add(record(numbered(id)))())
    // block the main thread until another connection has written
    const other = connect(path, { readOnly: false })
    const end = performance.now() + 20_000
    for (;;) {
      try {
        other.exec("INSERT INTO api_keys VALUES ('other', '{}')")
        break
      } catch (error) {
        if (performance.now() > end) throw error
      }
    }
    other.close()
    await Promise.all(adding)
    expect(await idsOf(store.pets, { limit: 100 })).toHaveLength(50)
    expect(await succeed(store.apiKeys.find('other'))).toStrictEqual({ _tag: 'None' })
  })
})
