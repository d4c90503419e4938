// animal-store seed N: adds demo pets through the use case, many at a time, with a progress bar.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { nodeCrypto } from '../adapters/node/system.js'
import { addPet } from '../domain/pets/add-pet.js'
import { type NewPet, PET_STATUSES } from '../domain/pets/pet.js'
import { counted, parseCount, withProgress } from './command.js'
import { storeCommand } from './store-command.js'

/** Concurrent creates; they share commits. */
const CALLERS = 256

const NAMES = ['Bella', 'Charlie', 'Coco', 'Felix', 'Luna', 'Max', 'Milo', 'Nala', 'Oscar', 'Rex'] as const
const CATEGORIES = 5

/** The n-th demo pet, the same in every run; one in four has no status. */
const demoPet = (n: number): NewPet => {
  const status = PET_STATUSES[n % (PET_STATUSES.length + 1)]
  const name = `${NAMES[n % NAMES.length]} ${n + 1}`
  return { name, categoryId: BigInt((n % CATEGORIES) + 1), ...(status && { status }) }
}

/** Stops after the first failure. */
export const seed = storeCommand({
  usage: 'seed N',
  summary: 'add N demo pets',
  createsStore: true,
  plan: (args, clock) => {
    const count = parseCount('N', args.positionals[0] ?? '')
    return (store) => () =>
      withProgress('{bar} {value} of {total} pets', async (advance) => {
        const add = addPet({ ...store, clock, crypto: nodeCrypto })
        for (let added = 0; added < count; added += CALLERS) {
          const pets = Array.from({ length: Math.min(CALLERS, count - added) }, (_, at) => demoPet(added + at))
          const results = await Promise.all(pets.map((newPet) => add({ newPet, idempotencyKey: O.none })()))
          const failed = results.find(E.isLeft)
          if (failed?.left._tag === 'Unavailable') return E.left(failed.left)
          if (failed !== undefined) throw new Error(`a demo pet was refused: ${failed.left._tag}`)
          advance(added + pets.length, count)
        }
        return E.right({ json: { added: count }, lines: [`${counted(count, 'pet')} added`] })
      })
  },
})
