// The findings of a verification.
export interface Finding {
  readonly record: 'pet' | 'status index' | 'API key' | 'id counter' | 'idempotency key' | 'relay' | 'data file'
  readonly id: string
  readonly reason: string
}

export type Findings = Generator<Finding, void>

export interface Verification {
  readonly pets: number
  readonly apiKeys: number
  readonly idempotencyKeys: number
  /** Events that are neither sent nor parked, with the ids among them that no pet received. */
  readonly waiting: number
  readonly parked: number
  /** Number of findings, and the first 1,000 of them. */
  readonly damaged: number
  readonly findings: readonly Finding[]
}
