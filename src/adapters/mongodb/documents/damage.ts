// The damage report for a document that cannot be decoded.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Errors } from 'io-ts'
import * as t from 'io-ts'
import type { Stored } from '../../../domain/archive/decide-merge.js'
import { faultsText } from '../../../domain/codecs/struct.js'
import type { Damage, ReportDamage } from '../../../ports/damage-report.js'

const idOf = (document: unknown): string => String(t.UnknownRecord.is(document) ? document['_id'] : document)

export const damageOf =
  (record: Damage['record'], document: unknown) =>
  (errors: Errors): Damage => ({
    record,
    id: idOf(document),
    reason: faultsText(errors),
  })

/** The decoded value; none if it is damaged, which is reported. */
export const soundWith =
  (reportDamage: ReportDamage) =>
  <A>(decoded: E.Either<Damage, A>): O.Option<A> => {
    if (E.isLeft(decoded)) reportDamage(decoded.left)
    return O.fromEither(decoded)
  }

/** The decoded value. Reports damage and throws, because without its holder the idempotency key might get a second pet. */
export const soundHolder =
  (reportDamage: ReportDamage) =>
  <A>(decoded: E.Either<Damage, A>): A => {
    if (E.isRight(decoded)) return decoded.right
    reportDamage(decoded.left)
    throw new Error(`the pet ${decoded.left.id}, which holds the idempotency key, cannot be decoded`)
  }

/** A decoded document, for `decideMerge`. */
export const storedOf: <A>(decoded: E.Either<Damage, A>) => Stored<A> = E.bimap(({ reason }) => reason, O.some)
