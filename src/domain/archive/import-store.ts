// Imports the lines of an export into a store without pets. Run again after a cut, it passes over what is there.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Ports } from '../../ports/index.js'
import type { Unavailable } from '../errors.js'
import { changeRelay } from '../events/backlog.js'
import { unusedAfter } from '../events/relay-record.js'
import { type ArchiveLine, archiveLineFrom, EXPORT_VERSION } from './archive-line.js'
import { COUNTS, type Counted, type Counts } from './archive-record.js'

/** Records per transaction. */
const BATCH = 500

/** The first line that is invalid or missing, or at which the store differs. Nothing was overwritten. */
export interface LineRefused {
  readonly _tag: 'LineRefused'
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}

type ImportFailure = Unavailable | LineRefused

export interface Tally {
  readonly added: number
  /** Equal records that the store had, and idempotency keys that have expired. */
  readonly unchanged: number
}

type Tallies = Readonly<Record<keyof Counts, Tally>>

export interface ImportProgress {
  /** Of the records so far. */
  readonly tallies: Tallies
  /** Number of records read, and the approximate number of all records. */
  readonly done: number
  readonly total: number
}

const NO_RECORDS: Tally = { added: 0, unchanged: 0 }
export const NO_TALLIES: Tallies = { apiKeys: NO_RECORDS, pets: NO_RECORDS, idempotencyKeys: NO_RECORDS }

const tallied = (tallies: Tallies, { _tag }: Counted, isAdded: boolean): Tallies => {
  const [kind, result] = [COUNTS[_tag], isAdded ? 'added' : 'unchanged'] as const
  return { ...tallies, [kind]: { ...tallies[kind], [result]: tallies[kind][result] + 1 } }
}

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

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Takes lines, or why they cannot be read. Yields the progress after each batch; a failure is the last element. */
export const importStore = ({ clock, ...ports }: Pick<Ports, 'archive' | 'relay' | 'clock'>) =>
  async function* (
    lines: AsyncIterable<E.Either<string, string>>,
  ): AsyncGenerator<E.Either<ImportFailure, ImportProgress>> {
    let batch: { readonly record: Counted; readonly line: number }[] = []
    let tallies = NO_TALLIES
    const read = { lines: 0, total: 0, isEnded: false, lastPet: 0n, lastId: 0n, position: O.none as O.Option<number> }
    const counts = { apiKeys: 0, pets: 0, idempotencyKeys: 0 }
    let after = 0n
    const refused = (line: number, reason: string): E.Either<LineRefused, never> =>
      E.left({ _tag: 'LineRefused', line, reason })

    /** Adds the batch; with the last one goes the last id, and after it the position of the relay. */
    const add = async (): Promise<E.Either<ImportFailure, ImportProgress>> => {
      const adding = batch
      batch = []
      const records = adding.map(({ record }) => record)
      const lastId = read.isEnded ? O.some(max(read.lastId, read.lastPet)) : O.none
      const isEmpty = records.length === 0 && O.isNone(lastId)
      const added = isEmpty ? E.right([]) : await ports.archive.add({ records, after, lastId, now: clock.now() })()
      if (E.isLeft(added)) {
        const failure = added.left
        if (failure._tag === 'Unavailable') return E.left(failure)
        return refused(adding[failure.at]?.line ?? read.lines, failure.reason)
      }
      after = read.lastPet
      const isAdded = new Set(added.right)
      for (const record of records) tallies = tallied(tallies, record, isAdded.has(record))
      if (read.isEnded && O.isSome(read.position)) {
        const position = read.position.value
        const moved = await changeRelay(ports, (record) => ({ ...record, position }), unusedAfter(position))
        if (E.isLeft(moved)) return moved
      }
      const done = counts.apiKeys + counts.pets + counts.idempotencyKeys
      return E.right({ tallies, done, total: read.total })
    }

    const takeRecord = (record: Counted): void => {
      counts[COUNTS[record._tag]] += 1
      if (record._tag === 'Pet') read.lastPet = record.event.pet.id
      batch.push({ record, line: read.lines })
    }

    /** Processes the next line; returns the reason if it is invalid. */
    const take = (text: E.Either<string, string>): string | undefined => {
      read.lines += 1
      if (read.isEnded) return 'it comes after the end of the export'
      const line = E.flatMap(archiveLineFrom)(text)
      if (E.isLeft(line)) return line.left
      const fault = misplaced(line.right, read.lines === 1, counts)
      if (fault !== undefined) return fault
      switch (line.right._tag) {
        case 'Header':
          read.total = line.right.records
          break
        case 'StoreState':
          read.lastId = max(read.lastId, line.right.lastId)
          break
        case 'Relay':
          read.position = O.some(line.right.position)
          break
        case 'End':
          read.isEnded = true
          break
        default:
          takeRecord(line.right)
      }
      return undefined
    }

    for await (const text of lines) {
      const fault = take(text)
      if (fault === undefined && batch.length < BATCH) continue
      const progress = await add()
      yield progress
      if (E.isLeft(progress)) return
      if (fault !== undefined) {
        yield refused(read.lines, fault)
        return
      }
    }
    const last = await add()
    yield last
    if (E.isRight(last) && !read.isEnded)
      yield refused(read.lines + 1, 'the export ends before its last line: it was cut off')
  }
