// Verifies a whole store or backup without changing it: SQLite checks the pages, a codec checks each record.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as R from 'fp-ts/lib/Record.js'
import type { Counts } from '../../../domain/archive/export-store.js'
import { asError } from '../../../domain/thrown.js'
import type { Damage } from '../../../ports/notice.js'
import { type Connection, isDamage, isUnopened, type Sql, unlessBusy, using } from '../file/connection.js'
import { checkJournal, explain } from '../file/folder.js'
import { schemaFault, tablesOf } from '../file/schema.js'
import { countOf, recordChecks, relayDamage } from './record-checks.js'

export interface Finding extends Omit<Damage, 'record'> {
  readonly record: Damage['record'] | 'count' | 'database'
}

export interface Verification extends Counts {
  /** Number of findings, and the first 1,000 of them. */
  readonly damaged: number
  readonly findings: readonly Finding[]
}

const MAX_FINDINGS = 1_000

/** By the index, and by the difference for pets without a status: sorting a million rows would take much memory. */
const COUNTS: Sql<[status: string, reason: string]> = `
  SELECT status, 'is ' || ifnull(c.pets, 'missing') || ', and there are ' || ifnull(p.pets, 0) || ' pets' FROM counts c FULL JOIN (
    SELECT status, count(*) AS pets FROM pets WHERE status IS NOT NULL GROUP BY status UNION ALL
    SELECT '', (SELECT count(*) FROM pets) - (SELECT count(*) FROM pets WHERE status IS NOT NULL)
  ) p USING (status)
  WHERE ifnull(c.pets, 0) <> ifnull(p.pets, 0)`

const ROOTS: Sql<[page: bigint, name: string]> = 'SELECT rootpage, name FROM sqlite_schema WHERE rootpage > 0'

/** What SQLite prints of damaged pages. Pages that it could not reach because of them are no damage of their own. */
function* pageFindings(connection: Connection): Generator<Finding> {
  const tables = new Map(connection.all(ROOTS).map(([page, name]) => [String(page), name]))
  for (const [text] of connection.each<[string]>('PRAGMA integrity_check'))
    for (const line of text.split('\n')) {
      const [, tree = '', page, reason = line] = /^Tree (\d+) page (\d+)(?: cell \d+)?: (.*)$/.exec(line) ?? []
      const id = page === undefined ? 'page' : `page ${page} of ${tables.get(tree) ?? 'the table of contents'}`
      if (!/^(?:ok|\*\*\* in database main \*\*\*|Page \d+: never used)$/.test(line))
        yield { record: 'database', id, reason }
    }
}

function* countFindings({ all }: Connection): Generator<Finding> {
  for (const [id, reason] of all(COUNTS)) yield { record: 'count', id, reason }
}

/** Reports progress, in records. */
export type Advance = (done: number, total: number) => void

const NOTHING: Counts = { pets: 0, apiKeys: 0, idempotencyKeys: 0 }

/** A damaged page ends only the check that reads it. `path` names the file in a finding. */
const verify = (connection: Connection, path: string, advance: Advance): Verification => {
  const findings: Finding[] = []
  let damaged = 0
  let counts = NOTHING
  let isOurs = true
  const find = (finding: Finding): void => {
    damaged += 1
    if (damaged <= MAX_FINDINGS) findings.push(finding)
  }
  const collect = (check: () => Iterable<Finding>): void => {
    try {
      for (const finding of check()) find(finding)
    } catch (error) {
      // other tables than ours cannot be read by our statements
      if (!isDamage(error) && isOurs) throw error
      // a page that a check has named explains that the next ones cannot read on
      if (damaged === 0) find({ record: 'database', id: path, reason: asError(error).message })
    }
  }
  collect(() => {
    const fault = unlessBusy(() => schemaFault(connection, tablesOf(connection)))
    isOurs = fault === undefined
    return fault === undefined ? [] : [{ record: 'database', id: 'schema', reason: fault }]
  })
  collect(() => pageFindings(connection))
  collect(() => countFindings(connection))
  for (const name of R.keys(NOTHING))
    collect(() => {
      counts = { ...counts, [name]: countOf(connection, name) }
      return []
    })
  const total = Object.values(counts).reduce((sum, count) => sum + count)
  let done = 0
  for (const check of recordChecks(connection))
    collect(function* () {
      for (const results of check()) {
        yield* RA.lefts(results)
        done += results.length
        advance(done, total)
      }
    })
  collect(() => relayDamage(connection))
  return { ...counts, damaged, findings }
}

/** Opens a store or a backup to read it. Throws a readable error if that is impossible, which does not mean damage. */
export const reading = <A>(path: string, work: (connection: Connection) => A): A => {
  checkJournal(path)
  try {
    return using(path, { readOnly: true }, work)
  } catch (error) {
    const reason = explain(error, path)
    if (reason !== asError(error).message || !isUnopened(error)) throw new Error(reason, { cause: error })
    const remedy = `SQLite has to create ${path}-shm for a file in WAL mode: copy it to a folder that you can write to`
    throw new Error(`${reason}: ${remedy}`, { cause: error })
  }
}

/** Blocks the event loop. Throws if the file cannot be read for another reason than damage. */
export const verifyStore = (path: string, advance: Advance = () => {}): Verification =>
  reading(path, (connection) => verify(connection, path, advance))
