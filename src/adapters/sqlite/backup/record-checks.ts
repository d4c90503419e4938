// Decodes every record of a store, and follows the references between records.
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Counts } from '../../../domain/archive/export-store.js'
import type { Damage } from '../../../ports/notice.js'
import { PAGE } from '../archive.js'
import type { Connection, Row, Sql } from '../file/connection.js'
import {
  apiKeys,
  type Decoded,
  decodeEvent,
  decodeHeldKey,
  type EventRow,
  eventRowsAfter,
  type HeldKeyRow,
  idOfKey,
  relayRecords,
} from '../records.js'

type KeyRow = readonly [...HeldKeyRow, pet: bigint | null]

/** Continues after the bytes read last, so that it passes damaged texts. `+` makes SQLite search by both columns. */
const KEYS: Sql<KeyRow> = `
  SELECT CAST(k.lineage AS BLOB), CAST(k.key AS BLOB), k.expires_at, k.pet_id, p.id
  FROM idempotency_keys k LEFT JOIN pets p ON p.id = k.pet_id
  WHERE (k.lineage, k.key) > (+CAST(? AS TEXT), +CAST(? AS TEXT)) ORDER BY k.lineage, k.key LIMIT ${PAGE}`

const NOTHING = new Uint8Array()

const keyFault = ([lineage, key, expiresAt, petId, pet]: KeyRow): Decoded<unknown> => {
  const held = decodeHeldKey([lineage, key, expiresAt, petId])
  if (E.isLeft(held) || pet !== null) return held
  return E.left({ record: 'idempotency key', id: idOfKey(lineage, key), reason: `its pet ${petId} is missing` })
}

type Results = readonly Decoded<unknown>[]

function* paged<R extends Row>(
  next: (last: R | undefined) => readonly R[],
  check: (row: R) => Decoded<unknown>,
): Generator<Results> {
  for (let rows = next(undefined); rows.length > 0; rows = next(rows.at(-1))) yield rows.map(check)
}

/** One check per table, because a damaged page of one ends its check only. Each yields pages of results. */
export const recordChecks = (connection: Connection): readonly (() => Iterable<Results>)[] => [
  () => [apiKeys(connection)],
  () => paged<EventRow>((row) => eventRowsAfter(connection, row?.[0] ?? 0n, PAGE), decodeEvent),
  () => paged<KeyRow>((row) => connection.all(KEYS, row?.[0] ?? NOTHING, row?.[1] ?? NOTHING), keyFault),
]

export const relayDamage = (connection: Connection): readonly Damage[] => RA.lefts(relayRecords(connection))

const TABLES = { pets: 'pets', apiKeys: 'api_keys', idempotencyKeys: 'idempotency_keys' } as const

export const countOf = ({ first }: Connection, name: keyof Counts): number =>
  Number(first<[bigint]>(`SELECT count(*) FROM ${TABLES[name]}` as Sql<[bigint]>)?.[0])
