// The link to the next page (RFC 8288, relation `next`).
import type { PetFilter, PetQuery } from '../../../domain/pets/pet-query.js'
import { encodeCursor } from './cursor.js'

/** The query parameter of each filter member, which the next page repeats. */
const FILTER_PARAMETERS: Readonly<Record<keyof PetFilter, string>> = { status: 'status', ids: 'id' }

/** A Link to the pets with smaller ids than this one, with the filter and limit as sent. */
export const nextLink = (baseUrl: string, sent: URLSearchParams, query: PetQuery, before: bigint): string => {
  let text = `<${baseUrl}/pets?`
  for (const name of ['limit', ...Object.values(FILTER_PARAMETERS)]) {
    for (const value of sent.getAll(name)) text += `${name}=${encodeURIComponent(value)}&`
  }
  return `${text}cursor=${encodeCursor(before, query)}>; rel="next"`
}
