// From the embedded store to MongoDB and back; also after one more create.
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, expect, it } from 'vitest'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { authenticate } from '../../../src/domain/api-keys/authenticate.js'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { addPet } from '../../../src/domain/pets/add-pet.js'
import { petsJson } from '../../../src/domain/pets/pet.js'
import type { Store } from '../../../src/ports/store.js'
import { succeed } from '../../../src/testing/samples.js'
import { openStoreIn } from '../../adapters/sqlite/open-store.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { runCommand } from '../../support/processes/run-command.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { allPets } from '../../support/stores/all-pets.js'
import { fillStore } from '../../support/stores/rich-store.js'

const world = { clock: systemClock, crypto: nodeCrypto }

const petsText = async (store: Store): Promise<string> => petsJson(await allPets(store))

/** Without the header, which contains the time. Stores differ in the order of lines, and in a repeated store line. */
const linesIn = async (path: string): Promise<ReadonlySet<string>> =>
  new Set((await readFile(path, 'utf8')).split('\n').slice(1).sort())

describeWith('mongodb', 'a move to MongoDB and back', (address) => {
  const { uri, database } = testDatabase(address)
  beforeEach(() => database.dropDatabase())

  it('copies every pet, key and event exactly, and nothing twice', { timeout: 120_000 }, async () => {
    const folder = await temporaryPath()
    const file = (name: string): string => join(dirname(folder), name)
    const run = async (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => {
      const { code, stdout, stderr } = await runCommand(environment, ...words, '--json')
      expect([code, stderr]).toStrictEqual([0, ''])
      return JSON.parse(stdout) as unknown
    }
    const embedded = { DATA_DIR: folder }
    const mongodb = { MONGODB_URI: uri }

    const source = await openStoreIn(folder)
    await fillStore(source, 40)
    const { text } = await succeed(
      createApiKey({ ...source, ...world })({ name: O.none, scopes: ['pets:read'], lifetimeMs: O.none }),
    )
    await run(embedded, 'export', file('before'))
    const input = { newPet: { name: 'Rex', categoryId: 7 }, idempotencyKey: O.some({ lineage: 'k', key: 'k' }) }
    const { pet } = await succeed(addPet({ ...source, ...world })(input))
    await run(embedded, 'export', file('after'))
    const imported: unknown[] = []
    for (const name of ['before', 'after', 'after']) imported.push(await run(mongodb, 'import', file(name)))
    const pets = [
      [40, 0],
      [1, 40],
      [0, 41],
    ].map(([added, unchanged]) => ({ pets: { added, unchanged } }))
    expect(imported).toMatchObject(pets)

    const target = openStoreOf(uri)
    expect(await petsText(target)).toBe(await petsText(source))
    await run(mongodb, 'export', file('from MongoDB'))
    expect(await linesIn(file('from MongoDB'))).toStrictEqual(await linesIn(file('after')))
    expect(await succeed(authenticate({ ...target, ...world })(text))).toMatchObject({ scopes: ['pets:read'] })
    expect(await succeed(addPet({ ...target, ...world })(input))).toStrictEqual({ pet, replayed: true })

    await source.close()
    await rm(folder, { recursive: true })
    expect(await runCommand(embedded, 'import', file('from MongoDB'), '--json')).toMatchObject({ code: 0 })
    const back = await openStoreIn(folder)
    expect(await petsText(back)).toBe(await petsText(target))
    expect(await succeed(back.ids.next)).toBe(await succeed(target.ids.next))
  })
})
