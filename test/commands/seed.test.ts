import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { DONE } from '../../src/commands/command.js'
import type { PetStatus } from '../../src/domain/pets/pet.js'
import { ALL_PETS } from '../../src/domain/pets/pet-query.js'
import { succeed } from '../../src/testing/samples.js'
import { openStoreIn } from '../adapters/sqlite/open-store.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

describe('animal-store seed', () => {
  const run = (folder: string, ...words: readonly string[]) => runCommand({ DATA_DIR: folder }, 'seed', ...words)

  it('adds the requested number of pets, with every status and without one [cmd-seed]', async () => {
    const folder = await temporaryPath()
    expect(await run(folder, '600', '--json')).toMatchObject({ code: DONE, stdout: '{"added":600}\n' })
    const store = await openStoreIn(folder)
    const count = (status: O.Option<PetStatus>) => succeed(store.pets.count({ ...ALL_PETS, status }))
    expect(await count(O.none)).toBe(600)
    for (const status of ['available', 'pending', 'sold'] as const) expect(await count(O.some(status))).toBe(150)
  })
})
