// Reads a whole store or backup, without changing it, and cross-checks its tables.
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { clip, countOf } from '../../../domain/events/number-ranges.js'
import type { RelayRecord } from '../../../domain/events/relay-record.js'
import { checkDataFile } from '../environment/data-file.js'
import { checkFormat, DATA_FILE } from '../environment/folder.js'
import { enterFolder } from '../environment/pid-namespace.js'
import { openRoot } from '../environment/root.js'
import { formerRelay } from '../tables/former-events.js'
import { highestStoredId, storedRelay } from '../tables/meta-table.js'
import { type ReadableTables, takeSnapshot } from '../tables/snapshot.js'
import { entryCount, openExistingTables, type Tables } from '../tables/tables.js'
import type { Finding, Findings, Verification } from './findings.js'
import { verifyApiKeys, verifyExpiries, verifyIdempotencyKeys } from './verify-keys.js'
import { verifyCounter, verifyPets, verifyStatusIndex } from './verify-pets.js'

/** Maximum number of findings in a report; the others are only counted. */
const NAMED = 1_000

/** The record of the relay can be decoded. */
function* verifyRelay(tables: ReadableTables): Findings {
  const stored = storedRelay(tables)
  if (E.isLeft(stored)) yield { record: 'relay', id: 'record', reason: stored.left }
}

const CHECKS: readonly ((tables: ReadableTables) => Findings)[] = [
  verifyCounter,
  verifyPets,
  verifyStatusIndex,
  verifyApiKeys,
  verifyIdempotencyKeys,
  verifyExpiries,
  verifyRelay,
]

const sizeOf = (table: { readonly getKeys: () => Iterable<unknown> }): number => {
  let size = 0
  for (const _ of table.getKeys()) size += 1
  return size
}

const NO_POSITION = { pending: [], parked: [] }

/** Every finding in the tables. `former`: the record of the relay with what a former version stored in its place. */
const verifyTables = (tables: ReadableTables, former: O.Option<RelayRecord>): Verification => {
  const findings: Finding[] = []
  let damaged = 0
  for (const check of CHECKS) {
    for (const finding of check(tables)) {
      damaged += 1
      if (findings.length < NAMED) findings.push(finding)
    }
  }
  const stored = O.flatten(O.fromEither(storedRelay(tables)))
  const { pending, parked } = O.getOrElse<Pick<RelayRecord, 'pending' | 'parked'>>(() => NO_POSITION)(
    O.alt(() => stored)(former),
  )
  return {
    pets: sizeOf(tables.pets),
    apiKeys: sizeOf(tables.apiKeys),
    idempotencyKeys: sizeOf(tables.idempotencyKeys),
    waiting: countOf(clip(pending, Number(highestStoredId(tables)))),
    parked: parked.length,
    damaged,
    findings,
  }
}

/** Entries between two reports of the progress. */
const REPORT_EVERY = 1_000

/** How many entries `verifyTables` reads in order: each once, and some again for their number. */
const entriesToRead = ({ byStatus, meta, ...tables }: Tables): number => {
  const { pets, apiKeys, idempotencyKeys } = tables
  const read = [...Object.values(byStatus), ...Object.values(tables), pets, apiKeys, idempotencyKeys]
  return read.reduce((sum, table) => sum + entryCount(table), 0)
}

/** A store that cannot be read as a whole. */
export const unreadable = (directory: string, reason: string): Verification => ({
  pets: 0,
  apiKeys: 0,
  idempotencyKeys: 0,
  waiting: 0,
  parked: 0,
  damaged: 1,
  findings: [{ record: 'data file', id: join(directory, DATA_FILE), reason }],
})

/**
 * Verifies the store in the folder as it is at this moment, blocking the event loop. Rejects if there is no
 * store, or one of a newer version. **A damaged page may crash the process: run it in a separate one.**
 */
export const verifyStore = async (
  directory: string,
  advance: (done: number, total: number) => void = () => {},
): Promise<Verification> => {
  if (!(await checkFormat(directory))) throw new Error(`there is no store in ${directory}`)
  const leave = await enterFolder(directory, () => {})
  try {
    checkDataFile(join(directory, DATA_FILE))
    const root = openRoot(directory, { readOnly: true })
    try {
      const all = openExistingTables(root)
      const former = formerRelay(root, all)
      const total = entriesToRead(all)
      let done = 0
      const { tables, close } = takeSnapshot(root, all, () => {
        done += 1
        if (done % REPORT_EVERY === 0 || done === total) advance(done, total)
      })
      const verification = verifyTables(tables, former)
      close()
      return verification
    } finally {
      await root.close()
    }
  } catch (error) {
    return unreadable(directory, E.toError(error).message)
  } finally {
    await leave()
  }
}
