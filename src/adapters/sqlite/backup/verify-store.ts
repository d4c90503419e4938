// Verifies a whole store or backup without changing it: SQLite checks the pages, a codec checks each record.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Counts } from '../../../domain/archive/archive-record.js'
import { asError } from '../../../domain/thrown.js'
import type { Damage } from '../../../ports/notice.js'
import { type Connection, type Sql, unlessBusy, using } from '../file/connection.js'
import { hasSchema } from '../file/schema.js'
import { allItems, countRecords } from '../ports/archive.js'
import { relayRecords } from '../records.js'

export interface Finding extends Omit<Damage, 'record'> {
  readonly record: Damage['record'] | 'count' | 'database'
}

export interface Verification extends Counts {
  /** Number of findings, and the first 1,000 of them. */
  readonly damaged: number
  readonly findings: readonly Finding[]
}

const MAX_FINDINGS = 1_000

/** Damage that no single record shows. */
const CHECKS: Sql<[record: Finding['record'], id: string, reason: string]> = `
  SELECT 'database', 'page', integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'
  UNION ALL
  SELECT 'count', status, 'is ' || ifnull(c.pets, 'missing') || ', and there are ' || ifnull(p.pets, 0) || ' pets' FROM counts c
  FULL JOIN (SELECT ifnull(status, '') AS status, count(*) AS pets FROM pets GROUP BY 1) p USING (status)
  WHERE ifnull(c.pets, 0) <> ifnull(p.pets, 0)`

/** Reports progress, in records. */
type Advance = (done: number, total: number) => void

const verify = (connection: Connection, advance: Advance): Verification => {
  const findings: Finding[] = []
  let damaged = 0
  const find = (finding: Finding): void => {
    damaged += 1
    if (damaged <= MAX_FINDINGS) findings.push(finding)
  }
  for (const [record, id, reason] of connection.all(CHECKS)) find({ record, id, reason })
  const counts = countRecords(connection)
  const total = Object.values(counts).reduce((sum, count) => sum + count)
  let done = 0
  for (const items of allItems(connection, 0)) {
    for (const item of items) if (item._tag === 'Damaged') find(item.damage)
    done += items.length
    advance(done, total)
  }
  for (const damage of RA.lefts(relayRecords(connection))) find(damage)
  return { ...counts, damaged, findings }
}

/** Blocks the event loop. An unreadable file yields one finding. */
export const verifyStore = (path: string, advance: Advance = () => {}): Verification => {
  try {
    return using(path, { readOnly: true }, (connection) => {
      if (!unlessBusy(() => hasSchema(connection))) throw new Error('it has no tables')
      return verify(connection, advance)
    })
  } catch (error) {
    const nothing = { pets: 0, apiKeys: 0, idempotencyKeys: 0 }
    return { ...nothing, damaged: 1, findings: [{ record: 'database', id: path, reason: asError(error).message }] }
  }
}
