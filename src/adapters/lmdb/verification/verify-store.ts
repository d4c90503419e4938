// Reads a whole store or backup, without changing it, and cross-checks its tables.
import { join } from 'node:path'
import { toError } from 'fp-ts/lib/Either.js'
import { checkDataFile } from '../environment/data-file.js'
import { checkFormat, DATA_FILE } from '../environment/folder.js'
import { enterFolder } from '../environment/pid-namespace.js'
import { openRoot } from '../environment/root.js'
import { type ReadableTables, takeSnapshot } from '../tables/snapshot.js'
import { entryCount, openTablesForReading, type Tables } from '../tables/tables.js'
import type { Finding, Findings, Verification } from './findings.js'
import { verifyParked, verifyUnsent, verifyUnsentIndexes } from './verify-events.js'
import { verifyApiKeys, verifyExpiries, verifyIdempotencyKeys } from './verify-keys.js'
import { verifyCounter, verifyPets, verifyStatusIndex } from './verify-pets.js'

/** Maximum number of findings in a report; the others are only counted. */
const NAMED = 1_000

const CHECKS: readonly ((tables: ReadableTables) => Findings)[] = [
  verifyCounter,
  verifyPets,
  verifyStatusIndex,
  verifyApiKeys,
  verifyIdempotencyKeys,
  verifyExpiries,
  verifyUnsent,
  verifyParked,
  verifyUnsentIndexes,
]

const sizeOf = (table: { readonly getKeys: () => Iterable<unknown> }): number => {
  let size = 0
  for (const _ of table.getKeys()) size += 1
  return size
}

/** Every finding in the tables. */
export const verifyTables = (tables: ReadableTables): Verification => {
  const findings: Finding[] = []
  let damaged = 0
  for (const check of CHECKS) {
    for (const finding of check(tables)) {
      damaged += 1
      if (findings.length < NAMED) findings.push(finding)
    }
  }
  return {
    pets: sizeOf(tables.pets),
    apiKeys: sizeOf(tables.apiKeys),
    idempotencyKeys: sizeOf(tables.idempotencyKeys),
    waiting: sizeOf(tables.unsent),
    parked: sizeOf(tables.parked),
    damaged,
    findings,
  }
}

/** Entries between two reports of the progress. */
const REPORT_EVERY = 1_000

/** How many entries `verifyTables` reads in order: each once, and some again for their number. */
const entriesToRead = ({ byStatus, meta, ...tables }: Tables): number => {
  const { pets, apiKeys, idempotencyKeys, unsent, parked } = tables
  const read = [...Object.values(byStatus), ...Object.values(tables), pets, apiKeys, idempotencyKeys, unsent, parked]
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
      const all = openTablesForReading(root)
      const total = entriesToRead(all)
      let done = 0
      const { tables, close } = takeSnapshot(root, all, () => {
        done += 1
        if (done % REPORT_EVERY === 0 || done === total) advance(done, total)
      })
      const verification = verifyTables(tables)
      close()
      return verification
    } finally {
      await root.close()
    }
  } catch (error) {
    return unreadable(directory, toError(error).message)
  } finally {
    await leave()
  }
}
