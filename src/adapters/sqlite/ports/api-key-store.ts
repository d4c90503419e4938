// API keys in the database, without their texts. A damaged key is reported and treated as absent.
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { byAge } from '../../../domain/api-keys/api-key.js'
import type { ApiKeyStore } from '../../../ports/api-key-store.js'
import { allApiKeys, findApiKey } from '../records.js'
import { type Access, read, sound } from './access.js'

export const makeSqliteApiKeyStore = ({ connection, write, reportDamage }: Access): ApiKeyStore => ({
  add: (key) => write('addKey', key),
  addFirst: (key) => write('addFirstKey', key),
  find: (id) => read(() => O.flatten(sound(reportDamage)(findApiKey(connection, id)))),
  list: read(() => [...RA.filterMap(sound(reportDamage))(allApiKeys(connection))].sort(byAge)),
  change: (id, change) => write('changeKey', { id, change }),
  removeEnded: (before) => write('removeEndedKeys', before),
})
