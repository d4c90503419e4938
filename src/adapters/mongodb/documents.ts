// Converts documents, which any program may have written, to domain records and back. Damage is a value.
import * as E from 'fp-ts/lib/Either.js'
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { BSON, type Collection, type Db, type Filter, ObjectId } from 'mongodb'
import { Count, Instant, Text } from '../../domain/codecs/scalar.js'
import { faultsText, struct } from '../../domain/codecs/struct.js'
import { damagedError } from '../../domain/errors.js'
import { type PetCreated, TraceParent } from '../../domain/events/domain-event.js'
import type { HeldIdempotencyKey, PetRecord } from '../../domain/pets/decide-add.js'
import { MAX_PET_ID, type NewPet, OPTIONAL_MEMBERS, type Pet, PetId, REQUIRED_MEMBERS } from '../../domain/pets/pet.js'
import type { Damage, ReportDamage } from '../../ports/notice.js'

/** An instant as a BSON date, for readability and range queries. */
export const StoredInstant = new t.Type<Instant, Date, unknown>(
  'StoredInstant',
  Instant.is,
  (u, context) =>
    u instanceof Date && !Number.isNaN(u.getTime()) ? t.success(u.getTime()) : t.failure(u, context, 'must be a date'),
  (instant) => new Date(instant),
)

/** The id in a report. Documents of other programs may have ids of any type, and the operator has to find them. */
const idText = (id: unknown): string => {
  const isObject: boolean = typeof id === 'object' && !(id instanceof ObjectId)
  return isObject ? BSON.EJSON.stringify(id) : String(id)
}

export const decodeAs =
  <A>(record: Damage['record'], codec: t.Type<A, unknown, unknown>) =>
  (document: unknown): E.Either<Damage, A> => {
    const decoded = codec.decode(document)
    if (E.isRight(decoded)) return decoded
    const id = idText(t.UnknownRecord.is(document) ? document['_id'] : document)
    return E.left({ record, id, reason: faultsText(decoded.left) })
  }

/** The decoded value. Reports damage and returns none. */
export const makeOrReport =
  (reportDamage: ReportDamage) =>
  <A>(decoded: E.Either<Damage, A>): O.Option<A> => {
    if (E.isLeft(decoded)) reportDamage(decoded.left)
    return O.fromEither(decoded)
  }

/** The decoded value. Reports damage and throws: for records that must not be treated as missing. */
export const makeOrReportAndThrow =
  (reportDamage: ReportDamage) =>
  <A>(decoded: E.Either<Damage, A>): A => {
    if (E.isRight(decoded)) return decoded.right
    const { record, id, reason } = decoded.left
    reportDamage(decoded.left)
    throw damagedError(`the ${record} ${id} cannot be decoded: ${reason}`, decoded.left)
  }

/** Stored name of the member that holds the lineage of the caller's API key. */
const LINEAGE = 'apiKeyId'
export const LINEAGE_PATH = `idempotency.${LINEAGE}` as const

/**
 * `generation`: the number of earlier pets that held this key until it expired. Caller, key and generation are unique, so only one
 * create can take over an expired key, and older pets need no change.
 */
const StoredIdempotencyKey = struct(
  'Idempotency',
  { [LINEAGE]: Text, key: Text, generation: Count, expiresAt: StoredInstant },
  {},
)
const StoredEvent = struct('Event', { id: Text, time: StoredInstant }, { traceparent: TraceParent })

export interface PetDocument extends NewPet {
  readonly _id: bigint
  readonly event: t.OutputOf<typeof StoredEvent>
  readonly idempotency?: t.OutputOf<typeof StoredIdempotencyKey>
}

export const PETS = 'pets'

/** The valid ids of pets. Readers look only at these. */
export const PET_IDS = { $gte: 1n, $lte: MAX_PET_ID } as const

export const petsIn = (database: Db): Collection<PetDocument> => database.collection(PETS)

/** `$not` also matches ids that are not numbers, which `$lt` would not. Both conditions use the index of ids. */
const UNREACHABLE: Filter<PetDocument> = {
  $or: [{ _id: { $not: { $gte: PET_IDS.$gte } } }, { _id: { $gt: PET_IDS.$lte } }],
}

/** Describes documents whose ids no pet can have, so that no request reaches them. `limit`: 0 for all. */
export const unreachablePets = async (database: Db, limit = 0): Promise<readonly Damage[]> => {
  const documents = await petsIn(database)
    .find(UNREACHABLE, { projection: { _id: 1 }, limit })
    .toArray()
  return documents.map(({ _id }: { readonly _id: unknown }) => ({
    record: 'pet',
    id: typeof _id === 'string' ? JSON.stringify(_id) : idText(_id),
    reason: `/_id: must be an integer from 1 to ${MAX_PET_ID}`,
  }))
}

const idempotencyOf = ({ lineage, key, expiresAt }: HeldIdempotencyKey, generation: number) => ({
  [LINEAGE]: lineage,
  key,
  generation,
  expiresAt: StoredInstant.encode(expiresAt),
})

/** The document of a new pet. `generation`: see `StoredIdempotencyKey`. */
export const petDocument = ({ event, idempotencyKey }: PetRecord, generation = 0): PetDocument => {
  const { id, ...pet } = event.pet
  const time = StoredInstant.encode(event.time)
  return {
    _id: id,
    ...pet,
    event: { id: event.eventId, time, ...(event.traceparent !== undefined && { traceparent: event.traceparent }) },
    ...(O.isSome(idempotencyKey) && { idempotency: idempotencyOf(idempotencyKey.value, generation) }),
  }
}

/** Projections for `decodePet`, and for `decodePet` with `decodeHold` or `decodeEvent`. */
export const PET_MEMBERS = { name: 1, categoryId: 1, status: 1 } as const satisfies Record<keyof NewPet, 1>
export const HOLDER_MEMBERS = { ...PET_MEMBERS, idempotency: 1 } as const
export const EVENT_MEMBERS = { ...PET_MEMBERS, event: 1 } as const

/** Decodes the pet of a document; drops unknown members. */
export const decodePet: (document: unknown) => E.Either<Damage, Pet> = flow(
  decodeAs('pet', struct('StoredPet', { _id: PetId, ...REQUIRED_MEMBERS }, OPTIONAL_MEMBERS)),
  E.map(({ _id, ...pet }) => ({ id: _id, ...pet })),
)

export const decodeEvent: (document: unknown) => E.Either<Damage, PetCreated> = flow(
  decodeAs('pet', struct('StoredEvent', { _id: PetId, ...REQUIRED_MEMBERS, event: StoredEvent }, OPTIONAL_MEMBERS)),
  E.map(({ _id, event: { id: eventId, ...event }, ...pet }) => ({
    _tag: 'PetCreated',
    eventId,
    ...event,
    pet: { id: _id, ...pet },
  })),
)

export interface StoredHold extends HeldIdempotencyKey {
  readonly generation: number
}

/** Decodes the idempotency key that a document holds, expired or not. */
export const decodeHold: (document: unknown) => E.Either<Damage, StoredHold> = flow(
  decodeAs('idempotency key', struct('StoredHolder', { idempotency: StoredIdempotencyKey }, {})),
  E.map(({ idempotency: { [LINEAGE]: lineage, ...hold } }) => ({ lineage, ...hold })),
)

/** A lineage that no API key has. */
const VOID_HOLDER = '(void)'

/** Finds voids in the index of idempotency keys, so that they need no separate index. */
export const VOIDS = { [LINEAGE_PATH]: VOID_HOLDER, 'idempotency.key': { $exists: true } } as const
export const NOT_VOID = { [LINEAGE_PATH]: { $ne: VOID_HOLDER } } as const

const VOID_CATEGORY = -(2n ** 63n)

/** A placeholder under an id that no pet will get. No decoder accepts it. */
export const voidDocument = (id: bigint): PetDocument => ({
  _id: id,
  name: '',
  categoryId: VOID_CATEGORY,
  event: { id: `void ${id}`, time: new Date(0) },
  idempotency: idempotencyOf({ lineage: VOID_HOLDER, key: String(id), expiresAt: 0 }, 0),
})

/** Recognises a void by members that every projection includes: no pet has an empty name. */
export const isVoid = ({ name, categoryId }: Pick<PetDocument, 'name' | 'categoryId'>): boolean =>
  name === '' && categoryId === VOID_CATEGORY
