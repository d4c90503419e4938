// API keys in the database, without their texts. A damaged key is reported and treated as absent.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type ApiKey, byAge } from '../../../domain/api-keys/api-key.js'
import type { ApiKeyStore } from '../../../ports/api-key-store.js'
import type { ReportDamage } from '../../../ports/notice.js'
import type { Row } from '../file/connection.js'
import { apiKeyRow, apiKeyRows, decodeApiKey } from '../records.js'
import type { Writer } from '../writing/writer.js'
import type { Reader } from './reader.js'

export const makeSqliteApiKeyStore = (
  { connection, read }: Reader,
  { write }: Pick<Writer, 'write'>,
  reportDamage: ReportDamage,
): ApiKeyStore => {
  const sound = (row: Row): O.Option<ApiKey> => {
    const key = decodeApiKey(row)
    if (E.isRight(key)) return O.some(key.right)
    reportDamage({ record: 'API key', id: String(row[0]), reason: key.left })
    return O.none
  }

  return {
    add: (key) => write('addKey', key),
    addFirst: (key) => write('addFirstKey', key),
    find: (id) =>
      read(() => {
        const row = apiKeyRow(connection, id)
        return row === undefined ? O.none : sound(row)
      }),
    list: read(() => [...RA.filterMap(sound)(apiKeyRows(connection))].sort(byAge)),
    change: (id, change) => write('changeKey', { id, change }),
    removeEnded: (before) => write('removeEndedKeys', before),
  }
}
