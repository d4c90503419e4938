// Equality and order of pets.
import type { Eq } from 'fp-ts/lib/Eq.js'
import { concatAll } from 'fp-ts/lib/Monoid.js'
import * as Ord from 'fp-ts/lib/Ord.js'
import * as S from 'fp-ts/lib/string.js'
import { isMadeFrom, type Pet } from './pet.js'

/**
 * Pets that are equal in every member.
 *
 * @example
 * eqPet.equals({ id: 1n, name: 'Rex', categoryId: 7n }, { id: 1n, name: 'Rex', categoryId: 8n }) // => false
 */
export const eqPet: Eq<Pet> = { equals: (one, other) => one.id === other.id && isMadeFrom(one, other) }

// fromCompare asks only about values that differ
const ordBigint: Ord.Ord<bigint> = Ord.fromCompare((one, other) => (one < other ? -1 : 1))

/**
 * By id, ascending: in the order in which the pets were added. The other members only distinguish pets of different stores.
 *
 * @example
 * ordPet.compare({ id: 1n, name: 'Rex', categoryId: 7n }, { id: 2n, name: 'Rex', categoryId: 7n }) // => -1
 */
export const ordPet: Ord.Ord<Pet> = concatAll(Ord.getMonoid<Pet>())([
  Ord.contramap(({ id }: Pet) => id)(ordBigint),
  Ord.contramap(({ name }: Pet) => name)(S.Ord),
  Ord.contramap(({ categoryId }: Pet) => categoryId)(ordBigint),
  Ord.contramap(({ status }: Pet) => status ?? '')(S.Ord),
])
