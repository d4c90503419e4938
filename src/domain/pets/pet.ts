// Pet, NewPet and PetStatus of openapi.yaml, each a type and a codec of the same name, and their exact JSON.
import type { Either } from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as R from 'fp-ts/lib/Record.js'
import * as t from 'io-ts'
import { fromJson } from '../codecs/from-json.js'
import { Int64, integerBetween, type Of, oneOf } from '../codecs/scalar.js'
import { struct } from '../codecs/struct.js'
import { type MalformedJson, malformed, parseJson } from '../json/parse-json.js'

export const PET_STATUSES = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof PET_STATUSES)[number]

export const PetStatus = oneOf('PetStatus', PET_STATUSES)

/** In code points. */
export const MAX_NAME_LENGTH = 256

const nameFault = (name: unknown): string | undefined => {
  if (typeof name !== 'string') return 'must be a string'
  // counts code points only if needed: each has one or two code units
  const isLong =
    name.length > MAX_NAME_LENGTH && (name.length > 2 * MAX_NAME_LENGTH || [...name].length > MAX_NAME_LENGTH)
  if (name === '' || isLong) return `must have 1 to ${MAX_NAME_LENGTH} characters`
  if (/\p{Surrogate}/u.test(name)) return 'must be well-formed Unicode, without a lone surrogate'
  return /\S/u.test(name) ? undefined : 'must not be only white space'
}

const isName = (u: unknown): u is string => nameFault(u) === undefined

/** A pet's name, stored as sent: not trimmed, not normalised. */
export const PetName = new t.Type<string, string, unknown>(
  'PetName',
  isName,
  (u, context) => (isName(u) ? t.success(u) : t.failure(u, context, nameFault(u))),
  t.identity,
)

/** The category that a pet belongs to: any int64. */
export type CategoryId = Of<bigint, 'CategoryId'>
const CategoryId: t.Type<CategoryId, bigint, unknown> = Int64

/**
 * The members of a pet: codecs, equality, JSON and stores derive from these two tables. Where code is written by hand,
 * a new member fails to compile or fails a test until it is there (CONTRIBUTING.md, "A member of Pet").
 */
export const REQUIRED_MEMBERS = { name: PetName, categoryId: CategoryId }
export const OPTIONAL_MEMBERS = { status: PetStatus }

/** The body of a request that adds a pet. */
export const NewPet = struct('NewPet', REQUIRED_MEMBERS, OPTIONAL_MEMBERS)
export type NewPet = t.TypeOf<typeof NewPet>

export const NEW_PET_MEMBERS = R.keys({ ...REQUIRED_MEMBERS, ...OPTIONAL_MEMBERS })

/** Beyond this id, clients that read JSON numbers as doubles would confuse pets. */
export const MAX_PET_ID = 2n ** 53n - 1n

export type PetId = Of<bigint, 'PetId'>

/** An id that the service may assign. */
export const PetId: t.Type<PetId, bigint, unknown> = integerBetween('PetId', 1n, MAX_PET_ID)

/** Any int64, because other programs may store pets with ids that the service would not assign. */
const AnyPetId: t.Type<PetId, bigint, unknown> = Int64

export const Pet = struct('Pet', { id: AnyPetId, ...REQUIRED_MEMBERS }, OPTIONAL_MEMBERS)
export type Pet = t.TypeOf<typeof Pet>

export const petFrom = (id: PetId, newPet: NewPet): Pet => ({ id, ...newPet })

type Plain = string | number | bigint | boolean

/** A member that `===` cannot compare does not compile. */
const isSame = (one: Plain | undefined, other: Plain | undefined): boolean => one === other

export const isMadeFrom = (pet: Pet, newPet: NewPet): boolean =>
  NEW_PET_MEMBERS.every((member) => isSame(pet[member], newPet[member]))

/** Leaves out an absent status. By hand for the fixed shape: a generic exact writer takes five times as long. */
export const petJson = (pet: Pet): string => {
  const status = pet.status === undefined ? '' : `,"status":"${pet.status}"`
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}}`
}

export const petsJson = (pets: readonly Pet[]): string => `[${pets.map(petJson).join(',')}]`

export const PetFromJson = fromJson('PetFromJson', Pet, petJson)

export const NewPetFromJson = fromJson('NewPetFromJson', NewPet)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a body: JSON in UTF-8 without a byte order mark (RFC 8259 §8.1). The value need not be a valid NewPet. */
export const parseNewPetJson = (bytes: Uint8Array): Either<MalformedJson, unknown> => {
  const text = O.tryCatch(() => utf8.decode(bytes))
  if (O.isNone(text)) return malformed('it is not valid UTF-8')
  return text.value.startsWith('\uFEFF') ? malformed('it starts with a byte order mark') : parseJson(text.value)
}
