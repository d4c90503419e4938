// Reads documents of which some may hold bytes that are not UTF-8, for which the driver would fail the whole read.
import { BSON, type FindCursor } from 'mongodb'

/** Stands for such a document, with the idempotency key that a pet may hold: no decoder of a whole record takes it. */
const remainder = (bytes: Uint8Array): unknown => {
  const document = BSON.deserialize(bytes, { useBigInt64: true, validation: { utf8: false } })
  const { _id, idempotency } = document as { readonly _id: unknown; readonly idempotency?: unknown }
  return { _id, ...(idempotency !== undefined && { idempotency }) }
}

const decode = (bytes: Uint8Array): unknown => {
  try {
    return BSON.deserialize(bytes, { useBigInt64: true })
  } catch {
    return remainder(bytes)
  }
}

/** Reads again, one document at a time, if a document cannot be read. */
export const readDocuments = async <D>(
  find: (options: { readonly raw: boolean }) => FindCursor<D>,
): Promise<readonly D[]> => {
  try {
    return await find({ raw: false }).toArray()
  } catch (error) {
    if (!(error instanceof BSON.BSONError)) throw error
    const all: readonly unknown[] = await find({ raw: true }).toArray()
    return all.map((bytes) => (bytes instanceof Uint8Array ? decode(bytes) : bytes) as D)
  }
}
