// What the memory adapter keeps of each pet; the repository and the outbox are two views of it.
import type { Instant } from '../../domain/instant.js'
import type { PetCreated } from '../../domain/pet-created.js'

/** The state of an event that is not on record at its receiver. */
export interface Unsent {
  failures: number
  /** Not before this instant: the lease of a claim, or the back-off after a failure. */
  dueAt: Instant
  parkedBecause: string | undefined
}

/** Maps are keyed by number: ids are at most 2^53-1, and a bigint key costs ten times as much. */
export interface PetRecords {
  readonly events: Map<number, PetCreated>
  /** By id ascending but for concurrent creates. */
  readonly unsent: Map<number, Unsent>
  /** Whether new events wait to be sent: without a relay they would pile up. */
  readonly isRelayed: boolean
}

export const makePetRecords = (isRelayed: boolean): PetRecords => ({ events: new Map(), unsent: new Map(), isRelayed })
