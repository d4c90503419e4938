import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { DONE, FAILED, UsageError } from '../../src/commands/command.js'
import { seed } from '../../src/commands/seed.js'
import type { PetStatus } from '../../src/domain/pets/pet.js'
import { ALL_PETS } from '../../src/domain/pets/pet-query.js'
import { succeed } from '../../src/testing/samples.js'
import { openStoreIn } from '../adapters/lmdb/open-store.js'
import { pendingIn, saveRelay } from '../support/domain/log-reads.js'
import { makeMovableClock } from '../support/domain/movable-clock.js'
import { configOf } from '../support/processes/config-of.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

describe('animal-store seed', () => {
  let folder: string
  let messages: string[]
  beforeEach(async () => {
    messages = []
    folder = await temporaryPath()
  })

  const run = async (count: string, json: boolean, store = 'embedded') => {
    const results: string[] = []
    const args = { positionals: [count], json, texts: () => [], text: () => undefined }
    const output = {
      result: (text: string) => results.push(text),
      message: (text: string) => messages.push(text),
      audit: () => undefined,
    }
    return {
      code: await seed.run(args, configOf({ STORE: store, DATA_DIR: folder }), output, makeMovableClock()),
      results,
    }
  }

  it('adds the requested number of pets, with every status and without one [cmd-seed]', async () => {
    expect(await run('600', true)).toStrictEqual({ code: DONE, results: ['{"added":600}'] })
    const store = await openStoreIn(folder)
    const count = (status: O.Option<PetStatus>) => succeed(store.pets.count({ ...ALL_PETS, status }))
    expect(await count(O.none)).toBe(600)
    expect(await count(O.some('available'))).toBe(150)
    expect(await count(O.some('pending'))).toBe(150)
    expect(await count(O.some('sold'))).toBe(150)
  })

  it('adds pets to existing ones', async () => {
    await run('3', true)
    expect(await run('2', false)).toStrictEqual({ code: DONE, results: ['2 pets added'] })
    const store = await openStoreIn(folder)
    expect(await succeed(store.ids.next)).toBe(6n)
  })

  it('counts one pet in the singular', async () => {
    expect(await run('1', false)).toStrictEqual({ code: DONE, results: ['1 pet added'] })
  })

  it('leaves the events of its pets to the relay of the store', async () => {
    const relayed = await openStoreIn(folder)
    await saveRelay(relayed, 0)
    await relayed.close()
    await run('3', true)
    const store = await openStoreIn(folder)
    expect(await pendingIn(store)).toHaveLength(3)
  })

  it.each(['0', '-1', '1.5', '1e3', '', 'many', '100000000'])('refuses %j as a number of pets', async (count) => {
    await expect(run(count, true)).rejects.toThrow(UsageError)
  })

  it('does not fill a store in memory', async () => {
    expect(await run('1', true, 'memory')).toStrictEqual({ code: FAILED, results: [] })
  })
})
