// How long to measure. All scenarios share one plan.

export interface Plan {
  /** Rounds per server. */
  readonly rounds: number
  readonly roundMs: number
  readonly warmUpMs: number
  /** The smallest sizes: only checks that a scenario runs and that all answers are right. */
  readonly isSmoke: boolean
}

/** For published figures: the 20th percentile of these rounds repeats within 3 % (measured). */
export const FULL: Plan = { rounds: 12, roundMs: 1_000, warmUpMs: 2_000, isSmoke: false }

export const SMOKE: Plan = { rounds: 1, roundMs: 50, warmUpMs: 50, isSmoke: true }

export const isPublished = ({ rounds, roundMs }: Plan): boolean => rounds >= FULL.rounds && roundMs >= FULL.roundMs
