import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openLmdbStore } from '../../../src/adapters/lmdb/store.js'
import { succeed } from '../../../src/testing/outcome.js'
import { describeWith } from '../../support/describe-with.js'
import { mountSmallDisk, type SmallDisk } from '../../support/tmpfs.js'
import { type Answer, type ServedProcess, serve } from './served.js'

const LONGEST = '\u{1f436}'.repeat(250)

const idOf = ({ body }: Answer): string => /"id":(\d+)/.exec(body)?.[1] ?? ''

describeWith('tmpfs', 'the embedded store on a full disk', () => {
  let disk: SmallDisk
  let served: ServedProcess
  beforeEach(async () => {
    disk = await mountSmallDisk('4m')
    served = await serve(join(disk.path, 'data'))
  })
  afterEach(async () => {
    await served.stop()
    await disk.unmount()
  })

  const fill = (): Promise<void> =>
    expect(writeFile(join(disk.path, 'filler'), Buffer.alloc(8_000_000))).rejects.toMatchObject({ code: 'ENOSPC' })
  const createMany = (count: number): Promise<readonly Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => served.create(`${at}${LONGEST}`)))

  it('refuses creates as unavailable, goes on reading, and recovers by itself', async () => {
    const before = await createMany(20)
    expect(new Set(before.map(({ status }) => status))).toStrictEqual(new Set([201]))
    await fill()
    // the file has free pages of its own, so that the first creates may still fit
    const during: Answer[] = []
    while (during.filter(({ status }) => status !== 201).length < 60) during.push(...(await createMany(20)))
    const refused = during.filter(({ status }) => status !== 201)
    expect(new Set(refused.map(({ status }) => status))).toStrictEqual(new Set([503]))
    expect(JSON.parse(refused[0]?.body ?? '')).toMatchObject({ code: 'unavailable', status: 503 })
    expect(Math.max(...refused.map(({ milliseconds }) => milliseconds))).toBeLessThan(5_000)
    expect(await served.get('/v1/pets?status=sold')).toMatchObject({ status: 200 })
    expect(await served.get('/health/ready')).toMatchObject({ status: 200 })

    await rm(join(disk.path, 'filler'))
    const after = await createMany(20)
    expect(new Set(after.map(({ status }) => status))).toStrictEqual(new Set([201]))

    const acknowledged = [...before, ...during, ...after].filter(({ status }) => status === 201)
    for (const answer of acknowledged) {
      expect(await served.get(`/v1/pets/${idOf(answer)}`)).toMatchObject({ status: 200, body: answer.body })
    }
    expect(new Set(acknowledged.map(idOf)).size).toBe(acknowledged.length)
  })

  it('opens and reads what is there, and says why it cannot begin where nothing is', async () => {
    const [answer] = await createMany(1)
    await fill()
    const directory = join(disk.path, 'data')
    const store = await openLmdbStore({ directory, isRelayed: false, reportDamage: () => {} })
    expect(await succeed(store.pets.count({ status: O.none, ids: O.none }))).toBe(1)
    expect(answer).toMatchObject({ status: 201 })
    await store.close()
    await expect(
      openLmdbStore({ directory: join(disk.path, 'other'), isRelayed: false, reportDamage: () => {} }),
    ).rejects.toThrow('there is no space left on its disk')
  })
})
