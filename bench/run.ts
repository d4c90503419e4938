// npm run bench -- SCENARIO: one command and one method for all scenarios. It fails if an answer is wrong, never for a figure.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { IS_PINNED, moveToLoadCore } from './method/cores.js'
import { commit, machine, versions } from './method/machine.js'
import { FULL, isQuick, type Plan, SMOKE } from './method/plan.js'
import { prepare } from './method/prepare.js'
import { type Result, writeResult } from './method/result.js'
import { isEngineThere } from './method/services.js'
import { embedded } from './scenarios/embedded.js'
import { http } from './scenarios/http/scenario.js'
import { mongodb } from './scenarios/mongodb.js'
import type { Scenario } from './scenarios/scenario.js'

const SCENARIOS: readonly Scenario[] = [http, embedded, mongodb]

const USAGE = `npm run bench -- [SCENARIO…] [--rounds N] [--seconds S] [--big] [--smoke]

scenarios: ${SCENARIOS.map(({ name }) => name).join(', ')}; http if none is named, and with --smoke all of them
--rounds   rounds per server (${FULL.rounds})
--seconds  seconds per round (${FULL.roundMs / 1_000})
--big      also the sizes that take many minutes
--smoke    only checks that every scenario runs and that every answer is right`

const progress = (line: string): void => void process.stderr.write(`${line}\n`)

const measure = async (scenario: Scenario, plan: Plan): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-bench-'))
  try {
    const rows = await scenario.run({ plan, folder, progress: (line) => progress(`  ${line}`) })
    return {
      scenario: scenario.name,
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: String(FULL.rounds) },
    seconds: { type: 'string', default: String(FULL.roundMs / 1_000) },
    big: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const isKnown = (name: string): boolean => SCENARIOS.some((scenario) => scenario.name === name)

if (values.help || !positionals.every(isKnown)) {
  progress(USAGE)
  process.exitCode = values.help ? 0 : 2
} else {
  const plan = values.smoke
    ? SMOKE
    : { ...FULL, rounds: Number(values.rounds), roundMs: Number(values.seconds) * 1_000, isBig: values.big }
  const names = positionals.length > 0 ? positionals : values.smoke ? SCENARIOS.map(({ name }) => name) : ['http']
  prepare()
  moveToLoadCore()
  for (const scenario of SCENARIOS.filter(({ name }) => names.includes(name))) {
    progress(scenario.name)
    if (values.smoke && scenario.needsContainers && !(await isEngineThere())) {
      if (process.env['CONTAINERS'] === 'required') throw new Error('no container engine')
      progress('  not run: no container engine')
      continue
    }
    const result = await measure(scenario, plan)
    if (!values.smoke) {
      writeResult(result)
      process.stdout.write(`\n${scenario.table(result)}\n`)
    }
  }
}
