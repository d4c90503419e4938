/**
 * A stored record that cannot be decoded. It is reported, never served, and hides no other record.
 * @since 1.0.0 @category Ports
 */
export interface Damage {
  readonly record: 'pet' | 'API key' | 'id counter' | 'idempotency key' | 'relay record'
  readonly id: string
  readonly reason: string
}

/** Receives each damaged record every time that a store reads it. @since 1.0.0 @category Ports */
export type ReportDamage = (damage: Damage) => void
