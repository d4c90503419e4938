// Decodes what the database holds, whichever program stored it, and reports what is damaged.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { BSON, ObjectId } from 'mongodb'
import type { Stored } from '../../../domain/archive/decide-import.js'
import { Count, Instant } from '../../../domain/codecs/scalar.js'
import { faultsText } from '../../../domain/codecs/struct.js'
import type { Damage, ReportDamage } from '../../../ports/notice.js'

/** A count: int32 or double, as this service writes it, or int64, as other programs may. */
export const StoredCount = new t.Type<number, number, unknown>(
  'StoredCount',
  Count.is,
  // the driver reads an int64 as a bigint; one that no double holds becomes a number that is not safe either
  (u, context) => Count.validate(typeof u === 'bigint' ? Number(u) : u, context),
  Count.encode,
)

/** An instant: a date, which people can read and range queries can use. */
export const StoredInstant = new t.Type<Instant, Date, unknown>(
  'StoredInstant',
  Instant.is,
  (u, context) =>
    u instanceof Date && !Number.isNaN(u.getTime()) ? t.success(u.getTime()) : t.failure(u, context, 'must be a date'),
  (instant) => new Date(instant),
)

/** How a report names an id; that of a document of another program may be of any type, and its operator has to find it. */
export const idText = (id: unknown): string => {
  if (id instanceof ObjectId) return id.toHexString()
  const isObject: boolean = typeof id === 'object'
  return isObject ? BSON.EJSON.stringify(id) : String(id)
}

/** Decodes a document with this codec, or returns the report of its damage. */
export const decodeAs =
  <A>(record: Damage['record'], codec: t.Type<A, unknown, unknown>) =>
  (document: unknown): E.Either<Damage, A> => {
    const decoded = codec.decode(document)
    if (E.isRight(decoded)) return decoded
    const id = idText(t.UnknownRecord.is(document) ? document['_id'] : document)
    return E.left({ record, id, reason: faultsText(decoded.left) })
  }

/** The decoded value; none if it is damaged, which is reported. */
export const soundWith =
  (reportDamage: ReportDamage) =>
  <A>(decoded: E.Either<Damage, A>): O.Option<A> => {
    if (E.isLeft(decoded)) reportDamage(decoded.left)
    return O.fromEither(decoded)
  }

/** The decoded value. Reports damage and throws, where it would be wrong to go on as if there were no such record. */
export const soundOrThrow =
  (reportDamage: ReportDamage) =>
  <A>(decoded: E.Either<Damage, A>): A => {
    if (E.isRight(decoded)) return decoded.right
    const { record, id, reason } = decoded.left
    reportDamage(decoded.left)
    throw new Error(`the ${record} ${id} cannot be decoded: ${reason}`)
  }

/** What is stored, for `decideImport`; undefined if there is no document. */
export const storedOf = <A>(
  decode: (document: unknown) => E.Either<Damage, A>,
  document: object | undefined,
): Stored<A> =>
  document === undefined ? E.right(O.none) : E.bimap(({ reason }: Damage) => reason, O.some<A>)(decode(document))
