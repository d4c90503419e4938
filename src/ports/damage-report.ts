/** A stored record that cannot be decoded. It is reported, never served, and hides no other record. */
export interface Damage {
  readonly record: 'pet' | 'API key' | 'id counter' | 'idempotency key' | 'relay record'
  readonly id: string
  readonly reason: string
}

/** Receives each damaged record every time that a store reads it. */
export type ReportDamage = (damage: Damage) => void
