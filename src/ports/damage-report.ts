/** A record that a store holds and cannot decode: it is reported, never served, and hides no other. */
export interface Damage {
  readonly record: 'pet' | 'API key' | 'id counter'
  readonly id: string
  readonly reason: string
}

/** Takes note of a damaged record; a store calls it each time that it meets one. */
export type ReportDamage = (damage: Damage) => void
