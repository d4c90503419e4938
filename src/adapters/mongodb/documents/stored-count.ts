// A count in MongoDB: int32 or double, as this service writes it, or int64, as other programs may.
import * as t from 'io-ts'
import { Count } from '../../../domain/codecs/guarded.js'

export const StoredCount = new t.Type<number, number, unknown>(
  'StoredCount',
  Count.is,
  // the driver reads an int64 as a bigint; one that no double holds becomes a number that is not safe either
  (u, context) => Count.validate(typeof u === 'bigint' ? Number(u) : u, context),
  Count.encode,
)
