// Runs one scenario in a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IS_PINNED } from './method/cores.js'
import { commit, machine, versions } from './method/machine.js'
import { isQuick, type Plan } from './method/plan.js'
import type { Result } from './method/result.js'
import type { Scenario } from './scenarios/scenario.js'

export const measure = async (
  { name, run }: Scenario,
  plan: Plan,
  progress: (line: string) => void,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-bench-'))
  try {
    const rows = await run({ plan, folder, progress })
    return {
      scenario: name,
      quick: isQuick(plan),
      date: new Date().toISOString().slice(0, 10),
      commit: commit(),
      machine: machine(),
      versions: versions(),
      method: { rounds: plan.rounds, roundMs: plan.roundMs, pinned: IS_PINNED },
      rows,
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
