// Pet, NewPet and PetStatus of openapi.yaml: each a type and its codec of the same name.
import * as t from 'io-ts'
import { Int64 } from './int64.js'
import { oneOf } from './one-of.js'
import { struct } from './struct.js'

export const PET_STATUSES = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof PET_STATUSES)[number]

/** One of the three states of a pet; case matters. */
export const PetStatus = oneOf('PetStatus', PET_STATUSES)

/** The longest name, in code points. */
export const MAX_NAME_LENGTH = 256

const nameFault = (name: string): string | undefined => {
  // a code point has at most two code units: a text of twice the length is too long without counting
  const length = name.length > 2 * MAX_NAME_LENGTH ? name.length : [...name].length
  if (length > MAX_NAME_LENGTH || length === 0) return `must have 1 to ${MAX_NAME_LENGTH} characters`
  if (/\p{Surrogate}/u.test(name)) return 'must be well-formed Unicode, without a lone surrogate'
  return /\S/u.test(name) ? undefined : 'must not be only white space'
}

/** A pet's name, kept as it was sent: no trimming, no normalising. */
export const PetName = new t.Type<string, string, unknown>(
  'PetName',
  (u): u is string => typeof u === 'string' && nameFault(u) === undefined,
  (u, context) => {
    if (typeof u !== 'string') return t.failure(u, context, 'must be a string')
    const fault = nameFault(u)
    return fault === undefined ? t.success(u) : t.failure(u, context, fault)
  },
  (name) => name,
)

/** What a client sends to add a pet. */
export const NewPet = struct('NewPet', { name: PetName, categoryId: Int64 }, { status: PetStatus })
export type NewPet = t.TypeOf<typeof NewPet>

/** A pet as the store keeps it and the service returns it. */
export const Pet = struct('Pet', { id: Int64, name: PetName, categoryId: Int64 }, { status: PetStatus })
export type Pet = t.TypeOf<typeof Pet>

/** The largest id ever given: beyond it a client that reads JSON numbers as doubles would confuse two pets. */
export const MAX_PET_ID = 2n ** 53n - 1n

/**
 * The pet that a new one becomes under its id.
 *
 * @example
 * petFrom(1n, { name: 'Rex', categoryId: 7n }) // => { id: 1n, name: 'Rex', categoryId: 7n }
 */
export const petFrom = (id: bigint, newPet: NewPet): Pet => ({ id, ...newPet })

/** Whether a pet was made from the same request: equal as decoded NewPet. */
export const isMadeFrom = (pet: Pet, newPet: NewPet): boolean =>
  pet.name === newPet.name && pet.categoryId === newPet.categoryId && pet.status === newPet.status
