// Groups of writes whose order decides, and groups of two stores that take turns.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { added, numbered, range, record, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from './open-store.js'

it('a create behind the end of an import, in the same group as others before it, gets an id above its last one', async () => {
  const { pets, archive } = await openStoreIn(await temporaryPath())
  const add = (id: number) => succeed(pets.add(record(numbered(id))))
  // the first is written alone, the others as the next group
  const results = await Promise.all([add(1), add(2), succeed(archive.end(100n)), add(3)])
  expect(results).toStrictEqual([added(1), added(2), undefined, added(101)])
})

it('each of many creates of two stores gets its answer, whichever group it is written with', async () => {
  const folder = await temporaryPath()
  const stores = [await openStoreIn(folder), await openStoreIn(folder)]
  const callers = stores.flatMap(({ pets }) => range(1, 12).map((turns) => ({ pets, turns })))
  const addMany = async ({ pets, turns }: (typeof callers)[number]): Promise<void> => {
    for (const _ of range(1, 100)) {
      await succeed(pets.add(record(numbered(1))))
      // so that it comes while the group before waits for the lock, is written, or is answered
      for (const _ of range(1, turns)) await nextTurn()
    }
  }
  await Promise.all(callers.map(addMany))
  for (const { log } of stores) expect(await succeed(log.head)).toMatchObject({ last: 2_400 })
})
