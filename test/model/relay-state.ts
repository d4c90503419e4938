// The model of the relay: two of them with one record of what is still to be sent, a replay, an import, a database that fails.
// The log is given: what it shows up to the first gap is final, except for what the import adds.
import { type Database, type DatabaseRules, local, write } from './database.js'
import type { Step } from './explore.js'

export interface RelayRules extends DatabaseRules {
  /** A save takes place only if the record still has the version that the relay read. */
  readonly compares: boolean
  /** After a save without success a relay forgets all that it did and read since, or only what it did. */
  readonly forgets: 'all' | 'acknowledgements'
  /** When an import unites `pending` with what it adds. */
  readonly unites: 'before and after' | 'before'
}

export interface RelayBounds {
  readonly failures: number
  readonly takeOvers: number
  readonly replays: number
  readonly imports: number
}

/** The record of the relay: each number is pending (1) or not (0). Numbers beyond are pending. */
export interface Saved {
  readonly pending: string
  readonly holder: string
  readonly version: number
}

export interface Contents extends Saved {
  /** The log: a pet `p`, an imported one `i`, a void `v`, nothing yet `.`. */
  readonly log: string
}

export interface Relay {
  /** The record as it read or saved it, if it is the holder; otherwise it stands by, or has to read it. */
  readonly saved: Saved | null
  /** The numbers that it has dealt with since: published and acknowledged, parked, or passed as no event. */
  readonly done: string
  /** The log as far as it has read ahead. */
  readonly ahead: string
  /** The version of the save whose answer it awaits, and once that took place, how many writes are not durable until then. */
  readonly awaits: { readonly record: Saved; readonly unsynced: number | null } | null
}

export interface Save {
  readonly by: number
  readonly expects: number
  readonly record: Saved
}

/** An operator's command: its last step, and how many writes are not durable until that step is acknowledged. */
export interface Command {
  readonly steps: number
  readonly unsynced: number
}

export interface RelayState {
  readonly database: Database<Contents>
  readonly relays: readonly Relay[]
  /** Saves under way. One may arrive after its relay has given up waiting, or has ended. */
  readonly saves: readonly Save[]
  /** Events that the receiver has acknowledged. */
  readonly published: string
  readonly replay: Command & { readonly isPublished: boolean }
  readonly import: Command
  readonly left: RelayBounds
}

export const REPLAYED = 1
export const IMPORTED = 2
export const NONE = '..'
export const FORGOTTEN: Relay = { saved: null, done: NONE, ahead: '', awaits: null }
const NOT_BEGUN = { steps: 0, unsynced: 0 }
export const at = (text: string, number: number): string => text.charAt(number - 1)
export const put = (text: string, number: number, one: string): string =>
  text.slice(0, number - 1) + one + text.slice(number)
export const savedOf = ({ pending, holder, version }: Contents): Saved => ({ pending, holder, version })
export const merge = (text: string, over: string, of: (one: string, other: string) => string): string =>
  [...text].map((one, index) => of(one, over.charAt(index))).join('')

export const initialOf = (left: RelayBounds): RelayState => ({
  database: { durable: { log: 'pv', pending: '11', holder: 'A', version: 0 }, tail: [] },
  relays: [FORGOTTEN, FORGOTTEN],
  saves: [],
  published: NONE,
  replay: { ...NOT_BEGUN, isPublished: false },
  import: NOT_BEGUN,
  left,
})

export interface Collector {
  readonly steps: Step<RelayState>[]
  readonly step: (label: string, changes: Partial<RelayState>) => void
  /** A step that writes; none while too many writes wait to be durable. */
  readonly store: (label: string, contents: Partial<Contents>, changes?: Partial<RelayState>) => void
}

export const collect = (state: RelayState, rules: RelayRules): Collector => {
  const steps: Step<RelayState>[] = []
  const step: Collector['step'] = (label, changes) => void steps.push([label, { ...state, ...changes }])
  const store: Collector['store'] = (label, contents, changes) => {
    const database = write(state.database, rules, { ...local(state.database), ...contents })
    if (database !== undefined) step(label, { database, ...changes })
  }
  return { steps, step, store }
}
