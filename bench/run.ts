// npm run bench -- SCENARIO: one command and one method for all scenarios. Only wrong answers fail it, never figures.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isAboveFloor } from './floor.js'
import { moveToLoadCore } from './method/cores.js'
import { conditions } from './method/machine.js'
import { FULL, isPublished, type Plan, SMOKE } from './method/plan.js'
import { prepare } from './method/prepare.js'
import { publish } from './report/documents.js'
import { embedded } from './scenarios/embedded.js'
import { events } from './scenarios/events.js'
import { http } from './scenarios/http/scenario.js'
import { mongodb } from './scenarios/mongodb.js'
import type { Scenario } from './scenarios/scenario.js'
import { start } from './scenarios/start.js'

const SCENARIOS: readonly Scenario[] = [http, embedded, mongodb, events, start]

const USAGE = `npm run bench -- [SCENARIO…] [OPTION…]

scenarios: ${SCENARIOS.map(({ name }) => name).join(', ')}; without a name http, with --smoke all
--rounds N   rounds per server (${FULL.rounds})
--seconds S  seconds per round (${FULL.roundMs / 1_000}); fewer or shorter rounds are only printed, not written to the documents
--smoke      only checks that the scenarios run and that all answers are right
--floor      only checks that the service is at least 0.8 times as fast as published, relative to node:http`

const progress = (line: string): void => void process.stderr.write(`${line}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: String(FULL.rounds) },
    seconds: { type: 'string', default: String(FULL.roundMs / 1_000) },
    smoke: { type: 'boolean', default: false },
    floor: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const sizes = { rounds: Number(values.rounds), roundMs: Number(values.seconds) * 1_000 }
const plan: Plan = values.smoke ? SMOKE : { ...FULL, ...sizes }

const chosen = (): readonly Scenario[] => {
  if (positionals.length > 0) return SCENARIOS.filter(({ name }) => positionals.includes(name))
  return values.smoke ? SCENARIOS : [http]
}

const measure = async ({ name, run, table }: Scenario): Promise<void> => {
  progress(name)
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-bench-'))
  try {
    const rows = await run({ plan, folder, progress: (line) => progress(`  ${line}`) })
    if (values.smoke) return
    const text = `${table(rows)}\n\n${conditions(plan)}`
    process.stdout.write(`\n${text}\n\n`)
    if (isPublished(plan)) publish(name, text)
  } finally {
    await rm(folder, { recursive: true })
  }
}

if (values.help || !positionals.every((name) => SCENARIOS.some((scenario) => scenario.name === name))) {
  progress(USAGE)
  process.exitCode = values.help ? 0 : 2
} else {
  prepare()
  moveToLoadCore()
  if (values.floor) process.exitCode = (await isAboveFloor(progress)) ? 0 : 1
  else for (const scenario of chosen()) await measure(scenario)
}
