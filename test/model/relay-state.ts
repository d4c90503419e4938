// The model of the relay: two of them with one position in the log, a replay, a database that fails. The log is given and final.
import { collector, type Database, type DatabaseRules } from './database.js'

export interface RelayRules extends DatabaseRules {
  /** A save takes place only if the record still has the version that the relay read. */
  readonly compares: boolean
  /** After a save without success a relay forgets what it did since. */
  readonly forgets: boolean
}

export interface RelayBounds {
  readonly failures: number
  readonly takeOvers: number
  readonly replays: number
}

/** The record of the relay: everything at or below the position was sent. */
export interface Saved {
  readonly position: number
  readonly holder: string
  readonly version: number
}

export interface Relay {
  /** The record as it read or saved it, if it is the holder; otherwise it stands by, or has to read it. */
  readonly saved: Saved | null
  /** The number up to which it has dealt with everything since: published and acknowledged, or passed as no event. */
  readonly done: number
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
  readonly database: Database<Saved>
  readonly relays: readonly Relay[]
  /** Saves under way. One may arrive after its relay has given up waiting, or has ended. */
  readonly saves: readonly Save[]
  /** The numbers of events that the receiver has acknowledged. */
  readonly published: readonly number[]
  readonly replay: Command & { readonly isPublished: boolean }
  readonly left: RelayBounds
}

/** The log: a pet `p` or a void `v` under each number from 1. */
export const LOG = 'pv'
/** A replay begins with this number. */
export const REPLAYED = 1
export const FORGOTTEN: Relay = { saved: null, done: 0, awaits: null }
export const savedOf = ({ position, holder, version }: Saved): Saved => ({ position, holder, version })

export const initialOf = (left: RelayBounds): RelayState => ({
  database: { durable: { position: 0, holder: 'A', version: 0 }, tail: [] },
  relays: [FORGOTTEN, FORGOTTEN],
  saves: [],
  published: [],
  replay: { steps: 0, unsynced: 0, isPublished: false },
  left,
})

/** Collects the steps from a state. */
export const collect = collector<Saved, RelayState>
