/** A stored record that cannot be decoded. It is reported, never served, and hides no other record. */
export interface Damage {
  readonly record: 'pet' | 'API key' | 'id counter' | 'idempotency key' | 'relay record'
  readonly id: string
  readonly reason: string
}

/** Receives each damaged record every time that a store reads it. */
export type ReportDamage = (damage: Damage) => void

/**
 * A message to the operator about background work: sent once per change, not once per attempt; never contains a secret.
 */
export interface Notice {
  /** `fatal`: the sender cannot work again in this process, and the process should end. */
  readonly level: 'info' | 'warn' | 'error' | 'fatal'
  readonly message: string
  readonly details: Readonly<Record<string, string>>
}

/** Receives notices; the composition root logs them. */
export type Notify = (notice: Notice) => void
