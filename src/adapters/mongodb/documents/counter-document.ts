// The documents that all instances share: the counter of ids, and how far the log is final.
import type { NumberRange } from '../../../domain/events/number-ranges.js'

/** Ids from `from` to `to` that nobody drew, because the counter was raised above them. */
export interface StoredLeap {
  readonly from: unknown
  readonly to: unknown
}

export interface CounterDocument {
  readonly _id: string
  /** The last id that was drawn. */
  readonly last: bigint
  readonly leaps?: readonly StoredLeap[]
  /** Of earlier versions: a process that relays events has set it, and theirs then queue events. */
  readonly isRelayed?: boolean
}

export const COUNTER = 'pets'

/** In the collection of counters, and valid there for earlier versions too. */
export interface LogDocument {
  readonly _id: string
  /** Everything up to this id was final at some time. Later ids may be final, too. */
  readonly last: bigint
  readonly logId: string
  /** Whether a search for unsent events of earlier versions has found none. */
  readonly isNew?: boolean
}

export const LOG = 'log'

/** The leaps that can be decoded; the ids of the others are closed like any that nobody uses. */
export const leapsOf = (counter: Pick<CounterDocument, 'leaps'> | null): readonly NumberRange[] =>
  (counter?.leaps ?? []).flatMap(({ from, to }): readonly NumberRange[] => {
    const leap = [Number(from), Number(to)] as const
    return leap.every(Number.isSafeInteger) && leap[0] <= leap[1] ? [leap] : []
  })
