// Finds the pets that hold idempotency keys, many per command.
import * as O from 'fp-ts/lib/Option.js'
import type { Collection } from 'mongodb'
import type { Instant } from '../../../domain/codecs/instant.js'
import { heldAt } from '../../../domain/pets/decide-add.js'
import type { Pet } from '../../../domain/pets/pet.js'
import type { ReportDamage } from '../../../ports/damage-report.js'
import type { IdempotencyKey } from '../../../ports/pet-repository.js'
import { batch } from '../batching/batch.js'
import { type BatchObserver, observeCalls } from '../batching/observe-calls.js'
import { DURABLE_READ } from '../connection/durable-read.js'
import { decodeHolderOrThrow, StoredInstant } from '../documents/decoding.js'
import { heldUnder, nameOf, storedNameOf } from '../documents/key-name.js'
import {
  decodeHold,
  decodePet,
  HOLDER_MEMBERS,
  type PetDocument,
  type StoredIdempotencyKey,
} from '../documents/pet-document.js'
import { readDocuments } from '../documents/read-documents.js'
import { READ_BATCHES } from './pet-reading.js'

interface LookUp {
  readonly key: IdempotencyKey
  readonly at: Instant
}

/** The document of a pet that was added under an idempotency key. */
type Holder = PetDocument & { readonly idempotency: StoredIdempotencyKey }

export interface IdempotencyKeyReadingSettings {
  readonly pets: Collection<PetDocument>
  readonly reportDamage: ReportDamage
  readonly observer: BatchObserver
}

export const makeIdempotencyKeyReading = ({ pets, reportDamage, observer }: IdempotencyKeyReadingSettings) => {
  const findAll = async (lookUps: readonly LookUp[]): Promise<readonly (Holder | null)[]> => {
    const earliest = StoredInstant.encode(Math.min(...lookUps.map(({ at }) => at)))
    const keys = new Map(lookUps.map(({ key }) => [nameOf(key), heldUnder(key)]))
    // a key may have many expired turns
    const filter = { $or: [...keys.values()], 'idempotency.expiresAt': { $gt: earliest } }
    const options = { ...DURABLE_READ, projection: HOLDER_MEMBERS, sort: { 'idempotency.turn': 1 } } as const
    const holders = await readDocuments((read) => pets.find<Holder>(filter, { ...options, ...read }))
    // a map keeps the last of several entries with the same name: the newest turn
    const newest = new Map(holders.map((holder) => [storedNameOf(holder.idempotency), holder]))
    return lookUps.map(({ key }) => newest.get(nameOf(key)) ?? null)
  }

  const observe = observeCalls(observer, 'pets.findByIdempotencyKey')
  const find = batch(findAll, { ...READ_BATCHES, observe })

  const soundOf = decodeHolderOrThrow(reportDamage)

  return async (key: IdempotencyKey, at: Instant): Promise<O.Option<Pet>> => {
    const holder = await find({ key, at })
    if (holder === null) return O.none
    // a batch may find a key that has expired for this caller only
    const held = heldAt(O.some(soundOf(decodeHold(holder))), at)
    return O.isSome(held) ? O.some(soundOf(decodePet(holder))) : O.none
  }
}
