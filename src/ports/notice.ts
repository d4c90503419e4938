/** A stored record that cannot be decoded. It is reported, never served, and does not affect other records. */
export interface Damage {
  readonly record: 'pet' | 'API key' | 'id counter' | 'idempotency key' | 'relay record'
  readonly id: string
  readonly reason: string
}

/** Called each time that a store reads a damaged record. */
export type ReportDamage = (damage: Damage) => void

/**
 * A message to the operator about background work. Sent once per change, not per attempt; never contains a secret.
 */
export interface Notice {
  /** `fatal`: the sender cannot work again in this process, and the process should end. */
  readonly level: 'info' | 'warn' | 'error' | 'fatal'
  /** Only an operator can repair it: the process must not be started again before. */
  readonly needsOperator?: boolean
  readonly message: string
  readonly details: Readonly<Record<string, string>>
}

/** Receives notices; the composition root logs them. */
export type Notify = (notice: Notice) => void
