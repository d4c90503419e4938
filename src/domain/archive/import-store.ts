// Imports the lines of an export into a store. Safe to repeat: existing records do not change.
import * as E from 'fp-ts/lib/Either.js'
import type { Ports } from '../../ports/index.js'
import type { Unavailable } from '../errors.js'
import { type ArchiveLine, archiveLineFrom, READ_VERSIONS } from './archive-line.js'
import type { MergeResult } from './archive-record.js'
import {
  COUNTS,
  type Counted,
  type Counts,
  type IdempotencyKeyArchived,
  makeImportTally,
  type Refusal,
  type Tallies,
} from './archive-record.js'
import { makePositionImport } from './import-position.js'

/** Records per merge: few, so that a running service's writes wait only briefly. */
const BATCH = 500

/** An invalid line, or an export that ends too early. All lines before it have been imported. */
export interface BadExport {
  readonly _tag: 'BadExport'
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}

export interface ImportProgress {
  /** The results of the records so far. */
  readonly tallies: Tallies
  /** The refusals of this batch. */
  readonly refused: readonly Refusal[]
  /** Number of records read, and the approximate number of all records. */
  readonly done: number
  readonly total: number
}

/**
 * Imports lines, or the reasons why they cannot be read. Yields the progress after each batch. A failure is the last element;
 * without one, the import is complete.
 */
export type ImportStore = (
  lines: AsyncIterable<E.Either<string, string>>,
) => AsyncIterable<E.Either<Unavailable | BadExport, ImportProgress>>

/** Why a line is invalid at its place. */
const misplaced = (line: ArchiveLine, isFirst: boolean, countsBefore: () => Counts): string | undefined => {
  if (isFirst !== (line._tag === 'Header')) {
    return isFirst ? 'it is not the header of an export' : 'it is a second header'
  }
  if (line._tag === 'Header' && !READ_VERSIONS.includes(line.version)) {
    return `it is of format version ${line.version}; this program reads the versions ${READ_VERSIONS.join(' and ')}`
  }
  if (line._tag !== 'End') return undefined
  const { _tag, ...wanted } = line
  const counts = countsBefore()
  const kind = Object.values(COUNTS).find((one) => wanted[one] !== counts[one])
  return kind && `lines are missing before it: it counts ${wanted[kind]} ${kind}, there are ${counts[kind]}`
}

/** The position and the state of the store are brought in before. */
const isMerged = (line: ArchiveLine): line is Counted =>
  line._tag === 'Pet' || line._tag === 'ApiKey' || line._tag === 'IdempotencyKey'

/** In an export of an earlier version, a key does not name the event of its pet: the store could not tell a refused pet from its own. */
const isNameless = (record: Counted): record is IdempotencyKeyArchived =>
  record._tag === 'IdempotencyKey' && record.eventId === undefined

const ORPHANED: MergeResult = { _tag: 'Refused', reason: 'its pet was refused' }

/**
 * Imports an export.
 *
 * @example
 * for await (const progress of importStore({ ...store, clock: systemClock })(lines)) console.log(progress)
 */
export const importStore = ({ clock, ...ports }: Pick<Ports, 'archive' | 'log' | 'relay' | 'clock'>): ImportStore =>
  async function* (lines) {
    const tally = makeImportTally()
    const position = makePositionImport(ports)
    let batch: ArchiveLine[] = []
    const refusedPets = new Set<string>()
    const read = { lines: 0, total: 0, isEnded: false }
    const bad = (line: number, reason: string): E.Either<BadExport, never> =>
      E.left({ _tag: 'BadExport', line, reason })

    /** Merges the batch; later calls find it empty. */
    const merged = async (): Promise<E.Either<Unavailable, ImportProgress>> => {
      const lines = batch
      batch = []
      const now = clock.now()
      const prepared = await position.before(lines, now)
      if (E.isLeft(prepared)) return prepared
      const records = lines.filter(isMerged)
      const refused: Refusal[] = []
      /** Resolves to the number of refusals in this batch so far. */
      const merge = async (some: readonly Counted[]): Promise<E.Either<Unavailable, number>> => {
        const results = some.length === 0 ? E.right([]) : await ports.archive.merge(some, now)()
        return E.map((merged: readonly MergeResult[]) => refused.push(...tally.add(some, merged)))(results)
      }
      const named = await merge(records.filter((record) => !isNameless(record)))
      if (E.isLeft(named)) return named
      for (const { record, id } of refused) if (record === 'pet') refusedPets.add(id)
      const nameless = records.filter(isNameless)
      const orphans = nameless.filter(({ petId }) => refusedPets.has(String(petId)))
      refused.push(
        ...tally.add(
          orphans,
          orphans.map(() => ORPHANED),
        ),
      )
      const followed = await merge(nameless.filter(({ petId }) => !refusedPets.has(String(petId))))
      if (E.isLeft(followed)) return followed
      const positioned = await position.after()
      if (E.isLeft(positioned)) return positioned
      return E.right({ tallies: tally.tallies(), refused, done: tally.size(), total: read.total })
    }

    /** Processes the next line; returns the reason if it is invalid. */
    const take = (text: E.Either<string, string>): string | undefined => {
      read.lines += 1
      if (read.isEnded) return 'it comes after the end of the export'
      const line = E.flatMap(archiveLineFrom)(text)
      if (E.isLeft(line)) return line.left
      const fault = misplaced(line.right, read.lines === 1, () => tally.counts(batch.filter(isMerged)))
      if (fault !== undefined) return fault
      if (line.right._tag === 'Header') read.total = line.right.records
      else if (line.right._tag === 'End') read.isEnded = true
      else batch.push(line.right)
      return undefined
    }

    try {
      for await (const text of lines) {
        const fault = take(text)
        if (fault === undefined && batch.length < BATCH) continue
        const progress = await merged()
        yield progress
        if (E.isLeft(progress)) return
        if (fault !== undefined) {
          yield bad(read.lines, fault)
          return
        }
      }
      const last = await merged()
      yield last
      if (E.isRight(last) && !read.isEnded)
        yield bad(read.lines + 1, 'the export ends before its last line: it was cut off')
    } finally {
      await position.end()
    }
  }
