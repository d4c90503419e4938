// The generated part of a document for one scenario: its table, and under which conditions it was measured.
import { type Result, readResult } from '../method/result.js'
import type { Scenario } from '../scenarios/scenario.js'

const conditions = ({ date, commit, machine, versions, method, quick }: Result): string => {
  const place = `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.os}`
  const rounds = `${method.rounds} rounds of ${method.roundMs} ms per server${method.pinned ? ', pinned' : ', not pinned'}`
  const all = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const warning = quick ? '**A quick run on a busy machine: these figures do not repeat.** ' : ''
  return `${warning}Measured on ${date} at commit ${commit} on ${place}; ${rounds}; ${all.join(', ')}.`
}

/** Markdown; without a result, how to get one. */
export const section = ({ name, summary, table }: Scenario): string => {
  const result = readResult(name)
  const figures = result === undefined ? 'Not measured yet.' : `${table(result)}\n\n${conditions(result)}`
  return `${summary}\n\n${figures}\n\nRepeat it with \`npm run bench -- ${name}\`.`
}
