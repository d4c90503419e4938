// The pets of a peer, in memory.

export interface NewPet {
  readonly name: string
  readonly categoryId: number
  readonly status?: 'available' | 'pending' | 'sold'
}

export interface Pet extends NewPet {
  readonly id: number
}

/** Members are in the order of the service. */
export const petOf = (id: number, { name, categoryId, status }: NewPet): Pet =>
  status === undefined ? { id, name, categoryId } : { id, name, categoryId, status }

const pets: Pet[] = []

export const addPet = (newPet: NewPet): Pet => {
  const pet = petOf(pets.length + 1, newPet)
  pets.push(pet)
  return pet
}

export const findPet = (id: number): Pet | undefined => pets[id - 1]

/** The newest pets of a status, and where the next page begins, if there is one. */
export const pageOf = (limit: number, status: string | null) => {
  const found: Pet[] = []
  for (let at = pets.length - 1; at >= 0; at -= 1) {
    const pet = pets[at]
    if (pet === undefined || (status !== null && pet.status !== status)) continue
    if (found.length === limit) return { pets: found, before: found.at(-1)?.id }
    found.push(pet)
  }
  return { pets: found, before: undefined }
}
