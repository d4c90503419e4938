// A void: the document that closes an id which no pet will get. Earlier versions accept it, and decode no pet from it.
import type { PetDocument } from './pet-document.js'

/** No API key has this lineage. */
const VOID_HOLDER = '(void)'

/** Finds the voids in the index of idempotency keys, so that they need no index of their own. */
export const VOIDS = { 'idempotency.apiKeyId': VOID_HOLDER, 'idempotency.key': { $exists: true } } as const
export const NOT_VOID = { 'idempotency.apiKeyId': { $ne: VOID_HOLDER } } as const

const VOID_CATEGORY = -(2n ** 63n)
const NEVER = new Date(0)

/** Without a status, so that the index of statuses does not contain it. */
export const voidDocument = (id: bigint): PetDocument => ({
  _id: id,
  name: '',
  categoryId: VOID_CATEGORY,
  event: { id: `void ${id}`, time: NEVER },
  idempotency: { apiKeyId: VOID_HOLDER, key: String(id), turn: 0, expiresAt: NEVER },
})

/** Whether a document is a void, by the members of its pet: no pet has an empty name. */
export const isVoid = ({ name, categoryId }: Pick<PetDocument, 'name' | 'categoryId'>): boolean =>
  name === '' && categoryId === VOID_CATEGORY
