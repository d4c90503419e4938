// A scenario starts servers, checks their answers, measures them, and makes a table of the figures.
import type { Plan } from '../method/plan.js'
import type { Row } from '../method/row.js'

interface Run {
  readonly plan: Plan
  /** Empty, and removed after the run. */
  readonly folder: string
  readonly progress: (line: string) => void
}

export interface Scenario {
  readonly name: string
  readonly run: (run: Run) => Promise<readonly Row[]>
  /** Markdown. */
  readonly table: (rows: readonly Row[]) => string
}
