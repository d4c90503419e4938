// The pets of a peer, in memory.

export interface NewPet {
  readonly name: string
  readonly categoryId: number
  readonly status?: 'available' | 'pending' | 'sold'
}

export interface Pet extends NewPet {
  readonly id: number
}

const pets: Pet[] = []

export const addPet = ({ name, categoryId, status }: NewPet): Pet => {
  const id = pets.length + 1
  const pet = status === undefined ? { id, name, categoryId } : { id, name, categoryId, status }
  pets.push(pet)
  return pet
}

export const findPet = (id: number): Pet | undefined => pets[id - 1]

export interface Page {
  readonly pets: readonly Pet[]
  /** Where the next page goes on, if there is one. */
  readonly before: number | undefined
}

/** The newest pets of a status with an id below `before`. */
export const pageOf = (limit: number, status: string | null, before = pets.length + 1): Page => {
  const found: Pet[] = []
  for (let at = before - 2; at >= 0; at -= 1) {
    const pet = pets[at]
    if (pet === undefined || (status !== null && pet.status !== status)) continue
    if (found.length === limit) return { pets: found, before: found.at(-1)?.id }
    found.push(pet)
  }
  return { pets: found, before: undefined }
}
