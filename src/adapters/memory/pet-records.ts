// The records of the memory adapter, shared by the repository and the outbox.
import type { PetCreated } from '../../domain/events/pet-created.js'
import { makeUnsentEvents, type UnsentEvents } from './unsent-events.js'

export interface PetRecords {
  /** Keyed by number, since ids are at most 2^53-1: a bigint key is ten times slower. */
  readonly events: Map<number, PetCreated>
  readonly unsent: UnsentEvents
  /** Whether new events are queued. Without a relay they would pile up. */
  readonly isRelayed: boolean
}

export const makePetRecords = (isRelayed: boolean): PetRecords => ({
  events: new Map(),
  unsent: makeUnsentEvents(),
  isRelayed,
})
