// Finds the pets that hold idempotency keys.
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Document, Filter } from 'mongodb'
import type { Instant } from '../../../domain/codecs/instant.js'
import { heldAt, type IdempotencyKey } from '../../../domain/pets/decide-add.js'
import type { Pet } from '../../../domain/pets/pet.js'
import { batch } from '../batching/batch.js'
import { DURABLE_READ, readDocuments } from '../connection/commands.js'
import type { StoreContext } from '../connection/connection.js'
import { decodeHolderOrThrow, StoredInstant } from '../documents/decoding.js'
import {
  decodeHold,
  decodePet,
  HOLDER_MEMBERS,
  type PetDocument,
  petsIn,
  type StoredIdempotencyKey,
} from '../documents/pet-document.js'
import { READ_BATCHES } from './pet-reading.js'

/** One text for the two parts of a key. */
const nameOf = ({ lineage, key }: IdempotencyKey): string => `${lineage}\0${key}`

/** The lineage of an API key is stored as `apiKeyId`. */
const storedKey = ({ apiKeyId: lineage, key }: StoredIdempotencyKey): IdempotencyKey => ({ lineage, key })

/** The documents that have held a key. */
export const heldUnder = ({ lineage, key }: IdempotencyKey) => ({
  'idempotency.apiKeyId': lineage,
  'idempotency.key': key,
})

export const holdsKey = ({ idempotency }: PetDocument, key: IdempotencyKey): boolean =>
  idempotency !== undefined && nameOf(storedKey(idempotency)) === nameOf(key)

/** Looks up the latest holders of keys, expired or not. */
export const findHolders = async (
  pets: Collection<PetDocument>,
  keys: readonly IdempotencyKey[],
  projection: Document,
  condition: Filter<PetDocument> = {},
): Promise<(key: IdempotencyKey) => PetDocument | undefined> => {
  const byName = new Map(keys.map((key) => [nameOf(key), heldUnder(key)]))
  const filter = { ...condition, $or: [...byName.values()] }
  const holders = await readDocuments(pets, filter, { ...DURABLE_READ, projection, sort: { 'idempotency.turn': 1 } })
  // a map keeps the last of several entries with the same name: the newest turn
  const newest = new Map<string, PetDocument>()
  for (const holder of holders) if (holder.idempotency) newest.set(nameOf(storedKey(holder.idempotency)), holder)
  return (key) => newest.get(nameOf(key))
}

interface LookUp {
  readonly key: IdempotencyKey
  readonly at: Instant
}

export const makeFindByIdempotencyKey = ({ database, reportDamage, observe }: StoreContext) => {
  const pets = petsIn(database)
  const holderOf = decodeHolderOrThrow(reportDamage)

  const findAll = async (lookUps: readonly LookUp[]): Promise<readonly (PetDocument | undefined)[]> => {
    const earliest = StoredInstant.encode(Math.min(...lookUps.map(({ at }) => at)))
    const keys = lookUps.map(({ key }) => key)
    // a key may have many expired turns
    const find = await findHolders(pets, keys, HOLDER_MEMBERS, { 'idempotency.expiresAt': { $gt: earliest } })
    return keys.map(find)
  }
  const find = batch(findAll, { ...READ_BATCHES, observe: observe('pets.findByIdempotencyKey') })

  return async (key: IdempotencyKey, at: Instant): Promise<O.Option<Pet>> => {
    const holder = await find({ key, at })
    if (holder === undefined) return O.none
    // a batch may find a key that has expired for this caller only
    const held = heldAt(O.some(holderOf(decodeHold(holder))), at)
    return O.isSome(held) ? O.some(holderOf(decodePet(holder))) : O.none
  }
}
