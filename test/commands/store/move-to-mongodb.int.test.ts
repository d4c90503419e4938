// The way from the embedded store to MongoDB and back: exported beside a writer, and again once it has stopped.
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, expect, it } from 'vitest'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { authenticate } from '../../../src/domain/api-keys/authenticate.js'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { addPet } from '../../../src/domain/pets/add-pet.js'
import { petsJson } from '../../../src/domain/pets/pet.js'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import type { Store } from '../../../src/ports/store.js'
import { succeed } from '../../../src/testing/samples.js'
import { openStoreIn } from '../../adapters/sqlite/open-store.js'
import { startWriter } from '../../fault/sqlite/ledger.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { runCommand } from '../../support/processes/run-command.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { allPets } from '../../support/stores/all-pets.js'

const world = { clock: systemClock, crypto: nodeCrypto }

/** The API's JSON of all pets. */
const petsText = async (store: Store): Promise<string> => petsJson(await allPets(store))

/** The lines after the header, which holds the time. Their order and the repeated line of the store differ between stores. */
const linesIn = async (path: string): Promise<ReadonlySet<string>> =>
  new Set((await readFile(path, 'utf8')).split('\n').slice(1).sort())

describeWith('mongodb', 'a move to MongoDB and back', (address) => {
  const { uri, database } = testDatabase(address)
  beforeEach(() => database.dropDatabase())

  it('copies every pet, key and event exactly, and nothing twice', { timeout: 120_000 }, async () => {
    const folder = await temporaryPath()
    const file = (name: string): string => join(dirname(folder), name)
    const run = async (
      environment: Readonly<Record<string, string>>,
      ...words: readonly string[]
    ): Promise<unknown> => {
      const { code, stdout, stderr } = await runCommand(environment, ...words, '--json')
      expect([code, stderr]).toStrictEqual([0, ''])
      return JSON.parse(stdout)
    }
    const embedded = { DATA_DIR: folder }
    const mongodb = { MONGODB_URI: uri }

    const writer = startWriter(folder, 2, 'pet')
    await writer.acknowledged(100)
    const source = await openStoreIn(folder)
    const { text } = await succeed(
      createApiKey({ ...source, ...world })({ name: O.none, scopes: ['pets:read'], lifetimeMs: O.none }),
    )
    await run(embedded, 'export', file('beside'))
    await writer.acknowledged(200)
    const ledger = await writer.kill()
    await run(embedded, 'export', file('after'))

    const first = await run(mongodb, 'import', file('beside'))
    const second = await run(mongodb, 'import', file('after'))
    const third = await run(mongodb, 'import', file('after'))
    const added = (counts: unknown) => (counts as { pets: { added: number; unchanged: number } }).pets
    expect(added(first).added).toBeGreaterThanOrEqual(100)
    expect(added(second).unchanged).toBe(added(first).added)
    expect(added(third)).toMatchObject({ added: 0, unchanged: added(first).added + added(second).added })

    const target = openStoreOf(uri)
    expect(await petsText(target)).toBe(await petsText(source))
    expect(await succeed(target.pets.count(ALL_PETS))).toBeGreaterThanOrEqual(ledger.length)
    expect(await succeed(target.relay.load)).toStrictEqual(await succeed(source.relay.load))
    await run(mongodb, 'export', file('from MongoDB'))
    expect(await linesIn(file('from MongoDB'))).toStrictEqual(await linesIn(file('after')))
    expect(await succeed(authenticate({ ...target, ...world })(text))).toMatchObject({ scopes: ['pets:read'] })
    const [last] = (await succeed(source.pets.findPage({ ...ALL_PETS, limit: 1, before: O.none }))).pets
    if (last === undefined) throw new Error('there is no pet')
    const idempotencyKey = O.some({ lineage: 'k', key: last.name })
    const { id, ...newPet } = last
    expect(await succeed(addPet({ ...target, ...world })({ newPet, idempotencyKey }))).toStrictEqual({
      pet: { id, ...newPet },
      replayed: true,
    })

    await source.close()
    await rm(folder, { recursive: true })
    expect(await runCommand(embedded, 'import', file('from MongoDB'), '--json')).toMatchObject({ code: 0 })
    const back = await openStoreIn(folder)
    expect(await petsText(back)).toBe(await petsText(target))
    expect(await succeed(back.ids.next)).toBe(await succeed(target.ids.next))
  })
})
