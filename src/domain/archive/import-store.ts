// Imports the lines of an export into a store. Safe to repeat: existing records do not change.
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Ports } from '../../ports/index.js'
import type { Unavailable } from '../errors.js'
import { changeRelay } from '../events/backlog.js'
import { unusedAfter } from '../events/relay-record.js'
import { type ArchiveLine, archiveLineFrom, EXPORT_VERSION } from './archive-line.js'
import { COUNTS, type Counted, type Counts, type MergeResult } from './archive-record.js'

/** Records per merge: few, so that a running service's writes wait only briefly. */
const BATCH = 500

/** An invalid line, or an export that ends too early. All lines before it have been imported. */
export interface BadExport {
  readonly _tag: 'BadExport'
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}

const COUNTED_AS = { Added: 'added', Unchanged: 'unchanged', Updated: 'updated', Refused: 'refused' } as const

export type Tally = Readonly<Record<(typeof COUNTED_AS)[MergeResult['_tag']], number>>

type Tallies = Readonly<Record<keyof Counts, Tally>>

export interface RefusedRecord {
  readonly record: (typeof REFUSED_AS)[Counted['_tag']]
  /** An idempotency key is identified by the id of its pet. */
  readonly id: string
  readonly reason: string
}

export interface ImportProgress {
  /** The results of the records so far. */
  readonly tallies: Tallies
  /** Those of this batch. */
  readonly refused: readonly RefusedRecord[]
  /** Number of records read, and the approximate number of all records. */
  readonly done: number
  readonly total: number
}

const NO_RECORDS: Tally = { added: 0, unchanged: 0, updated: 0, refused: 0 }
export const NO_TALLIES: Tallies = { apiKeys: NO_RECORDS, pets: NO_RECORDS, idempotencyKeys: NO_RECORDS }

const tallied = (tallies: Tallies, { _tag }: Counted, result: MergeResult): Tallies => {
  const [kind, member] = [COUNTS[_tag], COUNTED_AS[result._tag]]
  return { ...tallies, [kind]: { ...tallies[kind], [member]: tallies[kind][member] + 1 } }
}

const REFUSED_AS = { ApiKey: 'API key', Pet: 'pet', IdempotencyKey: 'idempotency key' } as const

const idOf = (record: Counted): string =>
  record._tag === 'ApiKey' ? record.key.id : String(record._tag === 'Pet' ? record.event.pet.id : record.petId)

const misplaced = (line: ArchiveLine, isFirst: boolean, counts: Counts): string | undefined => {
  if (isFirst !== (line._tag === 'Header')) {
    return isFirst ? 'it is not the header of an export' : 'it is a second header'
  }
  if (line._tag === 'Header' && line.version !== EXPORT_VERSION) {
    return `it is of format version ${line.version}; this program reads version ${EXPORT_VERSION}`
  }
  if (line._tag !== 'End') return undefined
  const kind = Object.values(COUNTS).find((one) => line[one] !== counts[one])
  return kind && `lines are missing before it: it counts ${line[kind]} ${kind}, there are ${counts[kind]}`
}

/** The position and the state of the store are brought in before. */
const isMerged = (line: ArchiveLine): line is Counted =>
  line._tag === 'Pet' || line._tag === 'ApiKey' || line._tag === 'IdempotencyKey'

/** Takes lines, or why they cannot be read. Yields the progress after each batch; a failure is the last element. */
export const importStore = ({ clock, ...ports }: Pick<Ports, 'archive' | 'relay' | 'clock'>) =>
  async function* (
    lines: AsyncIterable<E.Either<string, string>>,
  ): AsyncGenerator<E.Either<Unavailable | BadExport, ImportProgress>> {
    let batch: ArchiveLine[] = []
    let tallies = NO_TALLIES
    const read = { lines: 0, total: 0, isEnded: false }
    const counts = { apiKeys: 0, pets: 0, idempotencyKeys: 0 }
    const bad = (line: number, reason: string): E.Either<BadExport, never> =>
      E.left({ _tag: 'BadExport', line, reason })

    /** Brings in the last id and the position of the relay, before the pets. */
    const prepare = async (lines: readonly ArchiveLine[], now: number): Promise<E.Either<Unavailable, void>> => {
      for (const line of lines) {
        const prepared =
          line._tag === 'Relay'
            ? await changeRelay(ports, (record) => ({ ...record, position: line.position }), unusedAfter(line.position))
            : line._tag === 'StoreState'
              ? await ports.archive.merge([line], now)()
              : E.right(undefined)
        if (E.isLeft(prepared)) return prepared
      }
      return E.right(undefined)
    }

    /** Merges the batch; later calls find it empty. */
    const merged = async (): Promise<E.Either<Unavailable, ImportProgress>> => {
      const lines = batch
      batch = []
      const now = clock.now()
      const prepared = await prepare(lines, now)
      if (E.isLeft(prepared)) return prepared
      const refused: RefusedRecord[] = []

      const count = (record: Counted, result: MergeResult): void => {
        tallies = tallied(tallies, record, result)
        if (result._tag !== 'Refused') return
        refused.push({ record: REFUSED_AS[record._tag], id: idOf(record), reason: result.reason })
      }

      const records = lines.filter(isMerged)
      const results = records.length === 0 ? E.right([]) : await ports.archive.merge(records, now)()
      if (E.isLeft(results)) return results
      for (const [record, result] of RA.zip(records, results.right)) count(record, result)
      const done = counts.apiKeys + counts.pets + counts.idempotencyKeys
      return E.right({ tallies, refused, done, total: read.total })
    }

    /** Processes the next line; returns the reason if it is invalid. */
    const take = (text: E.Either<string, string>): string | undefined => {
      read.lines += 1
      if (read.isEnded) return 'it comes after the end of the export'
      const line = E.flatMap(archiveLineFrom)(text)
      if (E.isLeft(line)) return line.left
      const fault = misplaced(line.right, read.lines === 1, counts)
      if (fault !== undefined) return fault
      if (isMerged(line.right)) counts[COUNTS[line.right._tag]] += 1
      if (line.right._tag === 'Header') read.total = line.right.records
      else if (line.right._tag === 'End') read.isEnded = true
      else batch.push(line.right)
      return undefined
    }

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
  }
