// Pets and new pets as JSON texts, digit for digit.
import type { Either } from 'fp-ts/lib/Either.js'
import { fromJson } from '../codecs/from-json.js'
import { type MalformedJson, parseJsonBytes } from '../json/parse-json.js'
import { NEW_PET_MEMBERS, NewPet, Pet } from './pet.js'

/** An absent status is left out. Written by hand for the fixed shape: a generic lossless writer takes five times as long. */
export const petJson = (pet: Pet): string => {
  const status = pet.status === undefined ? '' : `,"status":"${pet.status}"`
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}}`
}

/** The API's JSON of a list of pets: a bare array. */
export const petsJson = (pets: readonly Pet[]): string => `[${pets.map(petJson).join(',')}]`

export const PetFromJson = fromJson('PetFromJson', Pet, petJson)

export const NewPetFromJson = fromJson('NewPetFromJson', NewPet)

const MEMBER_NAMES: ReadonlySet<string> = new Set(NEW_PET_MEMBERS)

/** Bytes below which it takes less time to build the whole value than to choose what to build (measured). */
const SHORT_TEXT = 1_024

/** Members that a NewPet does not have may be left out, and arrays and objects in its own members may be empty. */
export const parseNewPetJson = (bytes: Uint8Array): Either<MalformedJson, unknown> =>
  parseJsonBytes(bytes, bytes.length < SHORT_TEXT ? undefined : MEMBER_NAMES)
