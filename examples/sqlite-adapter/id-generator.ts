// Ids from a counter in SQLite; one that is lost resumes above the highest stored id.
import { MAX_PET_ID } from 'animal-store'
import type { IdGenerator } from 'animal-store/ports'
import type { Database } from 'libsql'
import { query } from './database.js'

const NEXT = `
  INSERT INTO counters VALUES ('pets', (SELECT coalesce(max(id), 0) + 1 FROM pets))
  ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last`

export const makeSqliteIdGenerator = (database: Database): IdGenerator => ({
  next: query(() => {
    const row = database.prepare(NEXT).get() as { readonly last: bigint }
    if (row.last > MAX_PET_ID) throw new Error('the last id is given')
    return row.last
  }),
})
