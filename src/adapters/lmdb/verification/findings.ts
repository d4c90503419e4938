// The findings of a verification.
export interface Finding {
  readonly record: 'pet' | 'status index' | 'API key' | 'id counter' | 'idempotency key' | 'event' | 'data file'
  readonly id: string
  readonly reason: string
}

export type Findings = Generator<Finding, void>

export interface Verification {
  readonly pets: number
  readonly apiKeys: number
  readonly idempotencyKeys: number
  /** Events that are neither sent nor parked. */
  readonly waiting: number
  readonly parked: number
  /** How much is damaged, and the first thousand of it. */
  readonly damaged: number
  readonly findings: readonly Finding[]
}
