// Reads a whole store or backup without changing it: the pages by SQLite's own check, and each record by its codec.

import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { unusedAfter } from '../../../domain/events/relay-record.js'
import { asError } from '../../../domain/thrown.js'
import { type Connection, connect, opening, type Sql } from '../file/connection.js'
import { hasSchema } from '../file/schema.js'
import { apiKeyRows, decodeApiKey, decodeEvent, eventPages, findRelay, highestId } from '../records.js'

export interface Finding {
  readonly record: 'pet' | 'API key' | 'idempotency key' | 'relay' | 'count' | 'database'
  readonly id: string
  readonly reason: string
}

export interface Verification {
  readonly pets: number
  readonly apiKeys: number
  readonly idempotencyKeys: number
  /** Events that are neither sent nor parked, with the ids among them that no pet received. */
  readonly waiting: number
  readonly parked: number
  /** Number of findings, and the first 1,000 of them. */
  readonly damaged: number
  readonly findings: readonly Finding[]
}

type Findings = Generator<Finding, void>

const PAGE = 1_000
/** Maximum number of findings in a report; the others are only counted. */
const MAX_FINDINGS = 1_000

function* checkPets(connection: Connection, advance: (done: number) => void): Findings {
  let done = 0
  for (const rows of eventPages(connection, PAGE)) {
    for (const row of rows) {
      const event = decodeEvent(row)
      if (E.isLeft(event)) yield { record: 'pet', id: String(row[0]), reason: event.left }
    }
    done += rows.length
    advance(done)
  }
}

function* checkApiKeys(connection: Connection): Findings {
  const rows = apiKeyRows(connection)
  const ids = new Set(rows.map(([id]) => id))
  for (const row of rows) {
    const [id, key] = [String(row[0]), decodeApiKey(row)]
    if (E.isLeft(key)) yield { record: 'API key', id, reason: key.left }
    else if (O.isSome(key.right.successor) && !ids.has(key.right.successor.value))
      yield { record: 'API key', id, reason: `its successor ${key.right.successor.value} is missing` }
  }
}

function* checkTables(connection: Connection, advance: (done: number, total: number) => void, total: number): Findings {
  for (const [text] of connection.all(`PRAGMA integrity_check(${MAX_FINDINGS})`))
    if (text !== 'ok') yield { record: 'database', id: 'page', reason: String(text) }
  yield* checkPets(connection, (done) => advance(done, total))
  yield* checkApiKeys(connection)
  const lost: Sql<[string, string, bigint]> =
    'SELECT lineage, key, pet_id FROM idempotency_keys WHERE pet_id NOT IN (SELECT id FROM pets)'
  for (const [lineage, key, petId] of connection.all(lost))
    yield { record: 'idempotency key', id: `${lineage} ${key}`, reason: `its pet ${petId} is missing` }
  const counts: Sql<[string, bigint, bigint]> = `SELECT c.status, c.pets, ifnull(p.pets, 0) FROM counts c LEFT JOIN
    (SELECT ifnull(status, '') AS status, count(*) AS pets FROM pets GROUP BY 1) p ON p.status = c.status
    WHERE c.pets <> ifnull(p.pets, 0)`
  for (const [status, counted, pets] of connection.all(counts))
    yield { record: 'count', id: status, reason: `is ${counted}, and there are ${pets} pets` }
  const relay = findRelay(connection)
  if (E.isLeft(relay)) yield { record: 'relay', id: 'record', reason: relay.left }
}

const countOf = (connection: Connection, table: string): number =>
  Number(connection.first(`SELECT count(*) FROM ${table}`)?.[0])

const verify = (connection: Connection, advance: (done: number, total: number) => void): Verification => {
  const pets = countOf(connection, 'pets')
  const findings: Finding[] = []
  let damaged = 0
  for (const finding of checkTables(connection, advance, pets)) {
    damaged += 1
    if (damaged <= MAX_FINDINGS) findings.push(finding)
  }
  const head = Number(highestId(connection))
  const relay = O.toUndefined(O.flatten(O.fromEither(findRelay(connection)))) ?? unusedAfter(head)
  return {
    pets,
    apiKeys: countOf(connection, 'api_keys'),
    idempotencyKeys: countOf(connection, 'idempotency_keys'),
    waiting: Math.max(0, head - relay.position) + relay.retry.length,
    parked: relay.parked.length,
    damaged,
    findings,
  }
}

const unreadable = (path: string, reason: string): Verification => ({
  ...{ pets: 0, apiKeys: 0, idempotencyKeys: 0, waiting: 0, parked: 0, damaged: 1 },
  findings: [{ record: 'database', id: path, reason }],
})

/** Blocks the event loop. A file that cannot be read has one finding. */
export const verifyStore = (path: string, advance: (done: number, total: number) => void = () => {}): Verification => {
  try {
    const connection = opening(() => connect(path, { readOnly: true }))
    try {
      if (!opening(() => hasSchema(connection))) return unreadable(path, 'it has no tables')
      return verify(connection, advance)
    } finally {
      connection.close()
    }
  } catch (error) {
    return unreadable(path, asError(error).message)
  }
}
