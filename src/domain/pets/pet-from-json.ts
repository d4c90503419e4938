// Pets and new pets from JSON texts and back.
import { fromJson } from '../codecs/from-json.js'
import { NewPet, Pet } from './pet.js'
import { petJson } from './pet-json.js'

/** The API's Pet as JSON text, integers as digits. */
export const PetFromJson = fromJson('PetFromJson', Pet, petJson)

/** The body of a create as JSON text, integers as digits. */
export const NewPetFromJson = fromJson('NewPetFromJson', NewPet)
