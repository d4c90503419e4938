// Processes that add pets, what they have acknowledged, and whether a store kept it.
import { fileURLToPath } from 'node:url'
import * as O from 'fp-ts/lib/Option.js'
import { expect } from 'vitest'
import { MAX_INT64 } from '../../../src/domain/codecs/scalar.js'
import { PET_STATUSES, type Pet } from '../../../src/domain/pets/pet.js'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import { headOf, readThrough } from '../../../src/testing/contracts/event-log-samples.js'
import { succeed } from '../../../src/testing/samples.js'
import { openStoreIn } from '../../adapters/sqlite/open-store.js'
import { bundleProgram } from '../../support/processes/bundle-program.js'
import { startCli } from '../../support/processes/cli-process.js'
import { allPets } from '../../support/stores/all-pets.js'

const WRITER = bundleProgram(fileURLToPath(new URL('writer.ts', import.meta.url)))

export interface Acknowledged {
  readonly id: bigint
  readonly name: string
  /** Nanoseconds of the machine's monotonic clock: when the create began and when it was acknowledged. */
  readonly start: bigint
  readonly end: bigint
}

/** Ignores a line that the death of the writer cut off. */
const acknowledgedIn = (printed: string): readonly Acknowledged[] =>
  printed
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [id = '', name = '', start = '', end = ''] = line.split(' ')
      return { id: BigInt(id), name, start: BigInt(start), end: BigInt(end) }
    })

/** A process that adds pets until it is killed, at the latest when the test ends. */
export const startWriter = (directory: string, callers: number, name: string) => {
  const writer = startCli([WRITER], {}, directory, String(callers), '0', name)
  return {
    /** Resolves once it has acknowledged this many pets. */
    acknowledged: (count: number) => writer.find(new RegExp(`^(?:.*\\n){${count}}`)),
    /** Kills it, and resolves to all that it has acknowledged. */
    kill: async (): Promise<readonly Acknowledged[]> => {
      await writer.end('SIGKILL')
      return acknowledgedIn(writer.stdout())
    },
  }
}

/** The pet that a writer adds under this name. */
const petOf = ({ id, name }: Acknowledged): Pet => {
  const number = Number(name.split('-').at(-1))
  const status = PET_STATUSES[number % 4]
  return { id, name, categoryId: MAX_INT64 - BigInt(number), ...(status && { status }) }
}

/** Checks that every acknowledged pet is stored once, unchanged, with its event, and that the indexes agree. */
export const expectKept = async (directory: string, ledger: readonly Acknowledged[]): Promise<void> => {
  const damaged: unknown[] = []
  const store = await openStoreIn(directory, { reportDamage: (damage) => damaged.push(damage) })
  const pets = await allPets(store)
  const byId = new Map(pets.map((pet) => [pet.id, pet]))
  const lost = ledger.filter((acknowledged) => byId.get(acknowledged.id)?.name !== acknowledged.name)
  expect(lost).toStrictEqual([])
  expect(ledger.map(({ id }) => byId.get(id))).toStrictEqual(ledger.map(petOf))
  expect(new Set(pets.map(({ name }) => name)).size).toBe(pets.length)
  expect(byId.size).toBe(pets.length)
  expect(await succeed(store.pets.count(ALL_PETS))).toBe(pets.length)
  for (const status of PET_STATUSES) {
    expect(await succeed(store.pets.count({ ...ALL_PETS, status: O.some(status) }))).toBe(
      pets.filter((pet) => pet.status === status).length,
    )
  }
  const logged = await readThrough(store.log, await headOf(store))
  expect(logged.map(({ pet }) => pet)).toStrictEqual(pets.toReversed())
  expect(damaged).toStrictEqual([])
  await store.close()
}

/** Checks that a create that began after another was acknowledged has the greater id. */
export const expectOrdered = (ledger: readonly Acknowledged[]): void => {
  const asked = [...ledger].sort((one, other) => (one.start < other.start ? -1 : 1))
  const responded = [...ledger].sort((one, other) => (one.end < other.end ? -1 : 1))
  let greatest = 0n
  let at = 0
  const early = asked.filter(({ id, start }) => {
    for (let next = responded[at]; next !== undefined && next.end < start; next = responded[at]) {
      if (next.id > greatest) greatest = next.id
      at += 1
    }
    return id <= greatest
  })
  expect(early).toStrictEqual([])
}
