// A Pet as JSON text, digit for digit. Written for the fixed shape: a generic lossless writer costs five times as much.
import type { Pet } from './pet.js'

/** The API's JSON of a pet; an absent status is left out. */
export const petJson = (pet: Pet): string => {
  const status = pet.status === undefined ? '' : `,"status":"${pet.status}"`
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}}`
}

/** The API's JSON of a list of pets: a bare array. */
export const petsJson = (pets: readonly Pet[]): string => `[${pets.map(petJson).join(',')}]`
