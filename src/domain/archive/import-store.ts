// Imports the lines of an export into a store without pets. After an interruption, it can be run again.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Ports } from '../../ports/index.js'
import type { Unavailable } from '../errors.js'
import { changeRelay } from '../events/backlog.js'
import { type RelayRecord, unusedAfter } from '../events/relay-record.js'
import { type ArchiveLine, archiveLineFrom, EXPORT_VERSION } from './archive-line.js'
import { COUNTS, type Counted, type Counts } from './archive-record.js'

/** Records per transaction. */
const BATCH = 500

/** The first line that is invalid, missing, or different in the store. Nothing was overwritten. */
export interface LineRefused {
  readonly _tag: 'LineRefused'
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}

type ImportFailure = Unavailable | LineRefused

export interface ImportProgress {
  readonly read: Counts
  /** The others are already stored, or are expired idempotency keys. */
  readonly added: Counts
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

/** Takes lines, or reasons why they cannot be read. Yields progress after each batch; a failure is the last element. */
export const importStore = ({ clock, ...ports }: Pick<Ports, 'archive' | 'relay' | 'clock'>) =>
  async function* (
    lines: AsyncIterable<E.Either<string, string>>,
  ): AsyncGenerator<E.Either<ImportFailure, ImportProgress>> {
    const read = { apiKeys: 0, pets: 0, idempotencyKeys: 0 }
    const added = { ...read }
    let batch: { readonly record: Counted; readonly line: number }[] = []
    let [line, isEnded] = [0, false]
    let [after, lastPet, lastId] = [0n, 0n, 0n]
    let relayed: Pick<RelayRecord, 'position' | 'retry' | 'hasSent'> | undefined
    const refused = (at: number, reason: string): E.Either<LineRefused, never> =>
      E.left({ _tag: 'LineRefused', line: at, reason })

    /** Adds the batch; the last one with the last id, followed by the record of the relay. */
    const addBatch = async (): Promise<E.Either<ImportFailure, ImportProgress>> => {
      const adding = batch
      batch = []
      const last = lastId > lastPet ? lastId : lastPet
      const end = isEnded ? O.some(last) : O.none
      if (adding.length > 0 || isEnded) {
        const records = adding.map(({ record }) => record)
        const result = await ports.archive.add({ records, after, lastId: end, now: clock.now() })()
        if (E.isLeft(result)) {
          const { left } = result
          return left._tag === 'Unavailable' ? E.left(left) : refused(adding[left.at]?.line ?? line, left.reason)
        }
        for (const { _tag } of result.right) added[COUNTS[_tag]] += 1
      }
      after = lastPet
      if (isEnded && relayed !== undefined) {
        // lowered if the exported store had lost its last id: otherwise the relay would skip the next events
        const sent = { ...relayed, position: Math.min(relayed.position, Number(last)) }
        // unchanged if the import had ended before, because the relay may have worked since then
        const change = (record: RelayRecord) =>
          record.version > 0 && added.pets === 0 ? undefined : { ...record, ...sent }
        const saved = await changeRelay(ports, change, unusedAfter(sent.position))
        if (E.isLeft(saved)) return saved
      }
      return E.right({ read: { ...read }, added: { ...added } })
    }

    /** Processes the next line; returns the reason if it is invalid. */
    const take = (text: E.Either<string, string>): string | undefined => {
      line += 1
      if (isEnded) return 'it comes after the end of the export'
      const found = E.flatMap(archiveLineFrom)(text)
      if (E.isLeft(found)) return found.left
      const fault = misplaced(found.right, line === 1, read)
      if (fault !== undefined) return fault
      const record = found.right
      if (record._tag === 'Header') return undefined
      if (record._tag === 'StoreState') lastId = record.lastId > lastId ? record.lastId : lastId
      else if (record._tag === 'Relay') {
        const { position, retry, hasSent } = record
        relayed = { position, retry, hasSent }
      } else if (record._tag === 'End') isEnded = true
      else {
        read[COUNTS[record._tag]] += 1
        if (record._tag === 'Pet') lastPet = record.event.pet.id
        batch.push({ record, line })
      }
      return undefined
    }

    for await (const text of lines) {
      const fault = take(text)
      if (fault === undefined && batch.length < BATCH) continue
      const progress = await addBatch()
      yield progress
      if (E.isLeft(progress)) return
      if (fault !== undefined) {
        yield refused(line, fault)
        return
      }
    }
    const last = await addBatch()
    yield last
    if (E.isRight(last) && !isEnded) yield refused(line + 1, 'the export ends before its last line: it was cut off')
  }
