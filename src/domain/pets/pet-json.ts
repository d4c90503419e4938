// Pets and new pets as JSON texts, digit for digit.
import type { Either } from 'fp-ts/lib/Either.js'
import { fromJson } from '../codecs/from-json.js'
import { type MalformedJson, malformed, parseExactJson } from '../json/parse-json.js'
import { NewPet, Pet } from './pet.js'

/** An absent status is left out. Written by hand for the fixed shape: a generic lossless writer takes five times as long. */
export const petJson = (pet: Pet): string => {
  const status = pet.status === undefined ? '' : `,"status":"${pet.status}"`
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}}`
}

/** The API's JSON of a list of pets: a bare array. */
export const petsJson = (pets: readonly Pet[]): string => `[${pets.map(petJson).join(',')}]`

export const PetFromJson = fromJson('PetFromJson', Pet, petJson)

export const NewPetFromJson = fromJson('NewPetFromJson', NewPet)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = '\uFEFF'

const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    // the caller says that it is not UTF-8
    return undefined
  }
}

/** The JSON value of a body, in UTF-8 without a byte order mark (RFC 8259 §8.1). It need not be a valid NewPet. */
export const parseNewPetJson = (bytes: Uint8Array): Either<MalformedJson, unknown> => {
  const text = decodeText(bytes)
  if (text === undefined) return malformed('it is not valid UTF-8')
  return text.startsWith(BYTE_ORDER_MARK) ? malformed('it starts with a byte order mark') : parseExactJson(text)
}
