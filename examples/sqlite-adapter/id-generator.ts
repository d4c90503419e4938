// Ids from a counter in SQLite; one that is lost or behind the pets resumes above the highest stored id.

import type { IdGenerator, OfStorage } from 'animal-store'
import { Int64, MAX_PET_ID } from 'animal-store'
import type { Database } from 'node-sqlite3-wasm'
import { query } from './database.js'

const NEXT = `
  INSERT INTO counters VALUES ('pets', (SELECT coalesce(max(id), 0) + 1 FROM pets))
  ON CONFLICT DO UPDATE SET last = max(last + 1, excluded.last) RETURNING last`

export const makeSqliteIdGenerator = (database: Database, { storage }: OfStorage): IdGenerator => ({
  storage,
  next: query(() => {
    // small integers come as numbers, large ones as bigint: the codec takes both
    const last = Int64.decode(database.get(NEXT)?.['last'])
    if (last._tag === 'Left' || last.right > MAX_PET_ID) throw new Error('there is no next id')
    return last.right
  }),
})
