// How the relay of a process works.
import type { RelaySettings } from '../../domain/events/relay-events.js'

export interface RelayLoopSettings extends RelaySettings {
  /** Time between two reads if nothing calls `wake`. */
  readonly pollIntervalMs: number
  /** Time between two saves while events are sent. What was sent since the last one is sent again after a crash. */
  readonly saveIntervalMs: number
  /** Where the first relay of a store begins; by default, where the log ends when this one first reads it. */
  readonly startsAfter?: number | undefined
}

export const DEFAULT_RELAY: RelayLoopSettings = {
  batchSize: 256,
  leaseMs: 10_000,
  attemptsBeforeParking: 5,
  backOff: { initialMs: 100, maxMs: 5_000 },
  pollIntervalMs: 1_000,
  saveIntervalMs: 50,
}
