// Reads documents of which some may hold bytes that are not UTF-8, for which the driver would fail the whole read.
import { BSON, type FindCursor } from 'mongodb'
import type { PetDocument } from './pet-document.js'

/** Stands for such a document: no decoder takes it. */
const idOnly = (bytes: Uint8Array): unknown => {
  const document = BSON.deserialize(bytes, { useBigInt64: true, validation: { utf8: false } })
  return { _id: document['_id'] as unknown }
}

const decode = (bytes: Uint8Array): unknown => {
  try {
    return BSON.deserialize(bytes, { useBigInt64: true })
  } catch {
    return idOnly(bytes)
  }
}

/** Reads again, one document at a time, if a document cannot be read. */
export const readDocuments = async (
  find: (options: { readonly raw: boolean }) => FindCursor<PetDocument>,
): Promise<readonly PetDocument[]> => {
  try {
    return await find({ raw: false }).toArray()
  } catch (error) {
    if (!(error instanceof BSON.BSONError)) throw error
    const all: readonly unknown[] = await find({ raw: true }).toArray()
    return all.map((bytes) => (bytes instanceof Uint8Array ? decode(bytes) : bytes) as PetDocument)
  }
}
