import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import { everything, numbered, record, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { change, openStoreIn } from './open-store.js'

it('a pet that an operator removes is in no answer any more', async () => {
  const folder = await temporaryPath()
  const { pets } = await openStoreIn(folder)
  await succeed(pets.add(record(numbered(1))))
  const answers = async () => [
    await succeed(pets.findById(1n)),
    (await succeed(pets.findPage(everything))).pets,
    await succeed(pets.count(ALL_PETS)),
  ]
  expect(await answers()).toStrictEqual([O.some(numbered(1)), [numbered(1)], 1])
  change(folder, ({ run }) => run('DELETE FROM pets'))
  expect(await answers()).toStrictEqual([O.none, [], 0])
})
