// The damage report for a document that cannot be decoded.
import * as E from 'fp-ts/lib/Either.js'
import type { Errors } from 'io-ts'
import * as t from 'io-ts'
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

/**
 * What was decoded of a pet that holds an idempotency key. Damage is reported, and fails the call: without its holder, the key
 * might get a second pet.
 */
export const soundHolder =
  (reportDamage: ReportDamage) =>
  <A>(decoded: E.Either<Damage, A>): A => {
    if (E.isRight(decoded)) return decoded.right
    reportDamage(decoded.left)
    throw new Error(`the pet ${decoded.left.id}, which holds the idempotency key, cannot be decoded`)
  }
