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

function* pages<R extends Row>(next: (last: R | undefined) => readonly R[]): Generator<readonly R[]> {
  for (let rows = next(undefined); rows.length > 0; rows = next(rows.at(-1))) yield rows
}

/** Pages of results: API keys, then pets, then idempotency keys, then the record of the relay. */
export function* checkRecords(connection: Connection): Generator<readonly Decoded<unknown>[]> {
  yield apiKeys(connection)
  for (const rows of pages<EventRow>((row) => eventRowsAfter(connection, row?.[0] ?? 0n, PAGE)))
    yield rows.map(decodeEvent)
  for (const rows of pages<KeyRow>((row) => connection.all(KEYS, row?.[0] ?? NOTHING, row?.[1] ?? NOTHING)))
    yield rows.map(keyFault)
}

export const relayDamage = (connection: Connection): readonly Damage[] => RA.lefts(relayRecords(connection))

const COUNTS: Sql<[pets: bigint, apiKeys: bigint, idempotencyKeys: bigint]> =
  'SELECT (SELECT count(*) FROM pets), (SELECT count(*) FROM api_keys), (SELECT count(*) FROM idempotency_keys)'

export const countRecords = ({ first }: Connection): Counts => {
  const [pets = 0, apiKeys = 0, idempotencyKeys = 0] = first(COUNTS)?.map(Number) ?? []
  return { pets, apiKeys, idempotencyKeys }
}
