// npm run bench -- SCENARIO: one command and one method for all scenarios. It fails if an answer is wrong, never for a figure.
import { parseArgs } from 'node:util'
import { isAboveFloor } from './floor.js'
import { measure } from './measure.js'
import { moveToLoadCore } from './method/cores.js'
import { FULL, type Plan, SMOKE } from './method/plan.js'
import { prepare } from './method/prepare.js'
import { writeResult } from './method/result.js'
import { isEngineThere } from './method/services.js'
import { writeDocuments } from './report/documents.js'
import type { Scenario } from './scenarios/scenario.js'
import { SCENARIOS } from './scenarios/scenarios.js'

const USAGE = `npm run bench -- [SCENARIO…] [OPTION…]

scenarios: ${SCENARIOS.map(({ name }) => name).join(', ')}; without a name http, with --smoke all
--rounds N   rounds per server (${FULL.rounds})
--seconds S  seconds per round (${FULL.roundMs / 1_000})
--big        also the sizes that take many minutes
--smoke      only checks that the scenarios run and that all answers are right; writes nothing
--floor      only checks that the service is at least 0.8 times as fast as committed, relative to node:http
--documents  only writes the documents anew from the committed results`

const progress = (line: string): void => void process.stderr.write(`${line}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: String(FULL.rounds) },
    seconds: { type: 'string', default: String(FULL.roundMs / 1_000) },
    big: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    floor: { type: 'boolean', default: false },
    documents: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const chosen = (): readonly Scenario[] => {
  if (positionals.length > 0) return SCENARIOS.filter(({ name }) => positionals.includes(name))
  return values.smoke ? SCENARIOS : SCENARIOS.filter(({ name }) => name === 'http')
}

/** A smoke run may do without a container engine; CONTAINERS=required makes a missing one a failure. */
const canRun = async ({ needsContainers }: Scenario): Promise<boolean> =>
  !needsContainers || !values.smoke || process.env['CONTAINERS'] === 'required' || (await isEngineThere())

const runScenarios = async (): Promise<void> => {
  const sizes = { rounds: Number(values.rounds), roundMs: Number(values.seconds) * 1_000, isBig: values.big }
  const plan: Plan = values.smoke ? SMOKE : { ...FULL, ...sizes }
  for (const scenario of chosen()) {
    progress(scenario.name)
    if (!(await canRun(scenario))) {
      progress('  not run: no container engine')
      continue
    }
    const result = await measure(scenario, plan, (line) => progress(`  ${line}`))
    if (values.smoke) continue
    writeResult(result)
    process.stdout.write(`\n${scenario.table(result)}\n\n`)
  }
  if (!values.smoke) writeDocuments()
}

if (values.help || !positionals.every((name) => SCENARIOS.some((scenario) => scenario.name === name))) {
  progress(USAGE)
  process.exitCode = values.help ? 0 : 2
} else if (values.documents) {
  writeDocuments()
} else {
  prepare()
  moveToLoadCore()
  if (values.floor) process.exitCode = (await isAboveFloor(progress)) ? 0 : 1
  else await runScenarios()
}
