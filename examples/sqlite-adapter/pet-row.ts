// A row of the table `pets` as a pet.
import { Pet } from 'animal-store'
import type { QueryResult } from 'node-sqlite3-wasm'

/** What the database gave is decoded like any other input; none if the row is damaged. */
export const petOf = ({ id, name, categoryId, status }: QueryResult): readonly Pet[] => {
  const members = { id, categoryId, name: name instanceof Uint8Array ? new TextDecoder().decode(name) : name }
  const decoded = Pet.decode(status === null ? members : { ...members, status })
  return decoded._tag === 'Right' ? [decoded.right] : []
}
