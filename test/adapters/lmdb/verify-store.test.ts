import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { StoredIdempotencyKey } from '../../../src/adapters/lmdb/tables/idempotency-key-table.js'
import { COUNTER_KEY, RELAY_KEY } from '../../../src/adapters/lmdb/tables/meta-table.js'
import { encodeStored } from '../../../src/adapters/lmdb/tables/stored-json.js'
import { KEY_ONLY, type Tables } from '../../../src/adapters/lmdb/tables/tables.js'
import { verifyStore } from '../../../src/adapters/lmdb/verify-store.js'
import { adding, heldKey, keyRecord, petRecord, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { fillStore } from '../../support/stores/rich-store.js'
import { openStoreIn, writeTables } from './open-store.js'

const garbage = Buffer.from('{')

describe('verifyStore', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
  })

  it('reports no damage in a store that clients, operators and a relay have used', async () => {
    const store = await openStoreIn(folder)
    await fillStore(store, 40)
    await store.close()
    const progress: (readonly number[])[] = []
    expect(await verifyStore(folder, (...numbers) => progress.push(numbers))).toStrictEqual({
      pets: 40,
      apiKeys: 2,
      idempotencyKeys: 20,
      waiting: 20,
      parked: 10,
      damaged: 0,
      findings: [],
    })
    expect(progress, 'it ends with the number of entries that were announced').toHaveLength(1)
    expect(progress[0]?.[0]).toBe(progress[0]?.[1])
  })

  it('reports no damage in an empty store, and changes nothing', async () => {
    await (await openStoreIn(folder)).close()
    const before = await readFile(join(folder, 'data.mdb'))
    expect(await verifyStore(folder)).toMatchObject({ pets: 0, damaged: 0 })
    expect(Buffer.compare(await readFile(join(folder, 'data.mdb')), before)).toBe(0)
    expect((await readdir(folder)).sort()).toStrictEqual(['data.mdb', 'format', 'lock.mdb'])
  })

  it.each<readonly [string, (tables: Tables) => void, readonly string[]]>([
    ['a pet', ({ pets }) => pets.putSync(1, garbage), ['pet 1: is not JSON']],
    [
      'a pet without its entry in the index',
      ({ byStatus }) => byStatus.pending.removeSync(1),
      ['status index 1: the pet is pending, but has no entry in the index `pending`'],
    ],
    [
      'entries of a pet with another status, and of no pet',
      ({ byStatus }) => {
        byStatus.sold.putSync(1, KEY_ONLY)
        byStatus.sold.putSync(9, KEY_ONLY)
      },
      [
        'status index 1: index `sold` names a pet that is pending',
        'status index 9: index `sold` names a pet that does not exist',
      ],
    ],
    [
      'a counter that is not a number',
      ({ meta }) => meta.putSync(COUNTER_KEY, Buffer.from('x')),
      ['id counter counter: the counter of ids is not a number: "x"'],
    ],
    [
      'a counter that is behind',
      ({ meta }) => meta.putSync(COUNTER_KEY, Buffer.from('2')),
      ['id counter counter: it is 2, behind pet 3'],
    ],
    [
      'a counter that is lost',
      ({ meta }) => meta.removeSync(COUNTER_KEY),
      ['id counter counter: it is missing, behind pet 3'],
    ],
    [
      'an API key, and one without its successor',
      ({ apiKeys }) => {
        apiKeys.putSync('bbbbbbbbbbb', garbage)
        apiKeys.removeSync('ccccccccccc')
      },
      ['API key aaaaaaaaaaa: its successor ccccccccccc is missing', 'API key bbbbbbbbbbb: is not JSON'],
    ],
    [
      'an idempotency key',
      ({ idempotencyKeys }) => idempotencyKeys.putSync(['a', 'key 1'], garbage),
      ['idempotency key a key 1: is not JSON'],
    ],
    [
      'an idempotency key without its expiry, and an expiry without its key',
      ({ expiries }) => {
        expiries.removeSync([90_000, 'a', 'key 1'])
        expiries.putSync([80_000, 'a', 'key 1'], KEY_ONLY)
        expiries.putSync([80_000, 'a', 'x'], KEY_ONLY)
      },
      [
        'idempotency key a key 1: it has no entry in the index `expiries`, so it would never be removed',
        'idempotency key a key 1: stale entry at 80000 in the index `expiries`',
        'idempotency key a x: stale entry at 80000 in the index `expiries`',
      ],
    ],
    [
      'an idempotency key without its pet',
      ({ idempotencyKeys }) =>
        idempotencyKeys.putSync(['a', 'key 1'], encodeStored(StoredIdempotencyKey, { petId: 8, expiresAt: 90_000 })),
      ['idempotency key a key 1: its pet 8 is missing'],
    ],
    [
      'an idempotency key that holds the wrong pet',
      ({ idempotencyKeys }) => {
        const wrong = { petId: 2, expiresAt: 90_000, eventId: 'event-1' }
        idempotencyKeys.putSync(['a', 'key 1'], encodeStored(StoredIdempotencyKey, wrong))
      },
      ['idempotency key a key 1: it belongs to the event event-1, not to that of pet 2'],
    ],
    [
      'an idempotency key of an earlier version that expires too late for its pet',
      ({ idempotencyKeys, expiries }) => {
        for (const [key, petId] of [
          ['right', 1],
          ['wrong', 2],
        ] as const) {
          const expiresAt = 1_000 + 86_400_000
          idempotencyKeys.putSync(['a', key], encodeStored(StoredIdempotencyKey, { petId, expiresAt }))
          expiries.putSync([expiresAt, 'a', key], KEY_ONLY)
        }
      },
      ['idempotency key a wrong: it does not expire a day after pet 2 was added, so it may be the key of another pet'],
    ],
    [
      'the record of the relay',
      ({ meta }) => meta.putSync(RELAY_KEY, garbage),
      ['relay record: the record of the relay is damaged: is not JSON'],
    ],
  ])('reports %s', async (_, damage, expected) => {
    const store = await openStoreIn(folder)
    const keys = [keyRecord({ id: 'aaaaaaaaaaa' }), keyRecord({ id: 'ccccccccccc' })]
    const [first = keyRecord(), second = keyRecord()] = keys
    const rotated = { ...first, key: { ...first.key, successor: { _tag: 'Some', value: 'ccccccccccc' } as const } }
    const records = [petRecord(1), petRecord(2), petRecord(3), heldKey(1)]
    await succeed(adding(store.archive, [rotated, second, ...records], { lastId: O.some(3n) }))
    await store.close()
    expect(await verifyStore(folder)).toMatchObject({ damaged: 0 })
    await writeTables(folder, damage)
    const { damaged, findings } = await verifyStore(folder)
    expect(findings.map(({ record, id, reason }) => `${record} ${id}: ${reason}`)).toStrictEqual(expected)
    expect(damaged).toBe(expected.length)
  })

  it('counts all damaged records, but lists only the first thousand', async () => {
    await writeTables(folder, ({ pets }) => {
      for (let id = 1; id <= 1_500; id += 1) pets.putSync(id, garbage)
    })
    const { damaged, findings } = await verifyStore(folder)
    expect([damaged, findings.length]).toStrictEqual([1_501, 1_000])
  })

  it('reports a data file that is foreign or truncated', async () => {
    await writeTables(folder)
    const path = join(folder, 'data.mdb')
    await writeFile(path, 'x'.repeat(10_000))
    expect(await verifyStore(folder)).toMatchObject({
      damaged: 1,
      findings: [{ record: 'data file', id: path, reason: 'the data file is not an LMDB file' }],
    })
    await writeFile(path, '')
    expect(await verifyStore(folder)).toMatchObject({ findings: [{ reason: 'the data file is truncated' }] })
  })

  it('rejects a folder that holds no store, or one of a newer version', async () => {
    await expect(verifyStore(folder)).rejects.toThrow(`there is no store in ${folder}`)
    await mkdir(folder)
    await writeFile(join(folder, 'format'), 'animal-store 99\n')
    await expect(verifyStore(folder)).rejects.toThrow('newer version')
  })
})
