// What the memory adapter stores; the repository and the outbox are two views of it.
import type { PetCreated } from '../../domain/pet-created.js'
import { makeUnsentEvents, type UnsentEvents } from './unsent-events.js'

export interface PetRecords {
  /** Keyed by number, as ids are at most 2^53-1: a bigint key costs ten times as much. */
  readonly events: Map<number, PetCreated>
  readonly unsent: UnsentEvents
  /** Whether new events wait to be sent: without a relay they would pile up. */
  readonly isRelayed: boolean
}

export const makePetRecords = (isRelayed: boolean): PetRecords => ({
  events: new Map(),
  unsent: makeUnsentEvents(),
  isRelayed,
})
