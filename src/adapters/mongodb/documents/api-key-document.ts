// The stored form of an API key: the domain's record with dates, its id as `_id`.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ApiKey, apiKeyCodec } from '../../../domain/api-keys/api-key.js'
import type { Damage } from '../../../ports/damage-report.js'
import { damageOf, StoredInstant } from './decoding.js'

const KeyWithDates = apiKeyCodec(StoredInstant)
type KeyWithDates = t.OutputOf<typeof KeyWithDates>

export interface ApiKeyDocument extends Omit<KeyWithDates, 'id'> {
  readonly _id: string
  /** Of the key that was added as the first one. */
  readonly isFirst?: true
}

export const apiKeyDocument = (key: ApiKey): ApiKeyDocument => {
  const { id, ...members } = KeyWithDates.encode(key)
  return { _id: id, ...members }
}

/** Decodes the key of a document; drops unknown members. */
export const decodeApiKey = (document: unknown): E.Either<Damage, ApiKey> => {
  const record = t.UnknownRecord.is(document) ? { ...document, id: document['_id'] } : document
  return pipe(KeyWithDates.decode(record), E.mapLeft(damageOf('API key', document)))
}
