// The records of the memory adapter, shared by its ports.
import type { PetCreated } from '../../domain/events/pet-created.js'
import type { OfStorage } from '../../ports/storage.js'
import { makePetIndex, type PetIndex } from './pet-index.js'

export interface PetRecords extends OfStorage {
  readonly logId: string
  /** Keyed by number, since ids are at most 2^53-1: a bigint key is ten times slower. */
  readonly events: Map<number, PetCreated>
  /** The pets of these events. */
  readonly all: PetIndex
  /** The last id that was drawn. */
  lastDrawn: bigint
}

/** No records, in a log of their own. */
export const makePetRecords = (lastDrawn = 0n): PetRecords => ({
  storage: Symbol('memory'),
  logId: crypto.randomUUID(),
  events: new Map(),
  all: makePetIndex(),
  lastDrawn,
})
