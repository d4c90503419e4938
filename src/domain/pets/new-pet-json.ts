// Reads the JSON text of a NewPet.
import type { Either } from 'fp-ts/lib/Either.js'
import { type MalformedJson, parseJsonBytes } from '../json/parse-json.js'
import { NEW_PET_MEMBERS } from './pet.js'

/** Bytes below which it takes less time to build the whole value than to choose what to build (measured). */
const SHORT_TEXT = 1_024

/**
 * The JSON value of the bytes, which need not be a valid NewPet. Members that a NewPet does not have may be left out, and arrays
 * and objects in its own members may be empty.
 */
export const parseNewPetJson = (bytes: Uint8Array): Either<MalformedJson, unknown> =>
  parseJsonBytes(bytes, bytes.length < SHORT_TEXT ? undefined : NEW_PET_MEMBERS)
