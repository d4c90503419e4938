// The damage report for a document that cannot be decoded.
import type { Errors } from 'io-ts'
import * as t from 'io-ts'
import { faultsText } from '../../../domain/codecs/struct.js'
import type { Damage } from '../../../ports/damage-report.js'

const idOf = (document: unknown): string => String(t.UnknownRecord.is(document) ? document['_id'] : document)

export const damageOf =
  (record: Damage['record'], document: unknown) =>
  (errors: Errors): Damage => ({
    record,
    id: idOf(document),
    reason: faultsText(errors),
  })
