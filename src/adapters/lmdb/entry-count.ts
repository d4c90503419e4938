// How many entries a table has, from its own head: it costs the same for a hundred and for a million.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Key } from 'lmdb'
import type { Table } from './tables.js'

const Statistics = t.type({ entryCount: t.number })

export const entryCount = <K extends Key>(table: Table<K>): number => {
  const statistics = Statistics.decode(table.getStats())
  if (E.isLeft(statistics)) throw new Error('LMDB tells no entryCount')
  return statistics.right.entryCount
}
