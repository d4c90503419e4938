// Models the log on MongoDB: creates, readers and a database that fails. Its law: everything given to readers is final.
import { commit, fail, local } from './database.js'
import type { Model, Step } from './explore.js'
import {
  at,
  type Contents,
  type Create,
  collect,
  highest,
  initialOf,
  isFree,
  isUnderWay,
  type LogBounds,
  type LogRules,
  type LogState,
  nameOf,
  put,
} from './log-state.js'
import { createSteps, readerSteps } from './log-steps.js'

/** For a replica set, whatever the time between any two steps. */
export const ON_REPLICA_SET: LogRules = {
  database: 'replica set',
  reads: 'majority',
  maxTail: 2,
  awaits: 'nothing',
  closes: 'below any head',
  passesGaps: false,
  passesUnseen: false,
  refusedWait: true,
  endsInLeap: false,
  drawsIntoLeaps: false,
  losesCounterAtWork: true,
  leapsWhenCatchingUp: false,
}

export const ON_STANDALONE: LogRules = {
  ...ON_REPLICA_SET,
  database: 'standalone',
  reads: 'local',
  awaits: 'journal of the same server',
}

/** An id whose draw was lost may be drawn again, and a create whose refusing record was lost was not refused. */
const afterFailure = (creates: readonly Create[], { records, counter }: Contents): readonly Create[] =>
  creates.map((create) => {
    if (create.phase === 'drawing' && create.id > counter) return { ...create, phase: 'idle', id: 0 }
    return create.phase === 'refused' && isFree(records, create.id) ? { ...create, phase: 'sent' } : create
  })

const databaseSteps = (state: LogState, rules: LogRules): readonly Step<LogState>[] => {
  const { database, creates, inserts, reads, peak, failures, importing } = state
  const { steps, step } = collect(state, rules)
  if (database.tail.length > 0) {
    const committed = commit(database)
    step('the oldest write is durable', {
      database: committed,
      // other inserts never find their id free again
      inserts: inserts.filter((insert) => isFree(committed.durable.records, Number(insert.slice(1)))),
      peak: Math.max(peak, committed.durable.counter),
      reads: reads.map((read) => ({ ...read, unsynced: Math.max(0, read.unsynced - 1) })),
    })
  }
  for (let kept = 0; kept <= database.tail.length && failures > 0; kept += 1) {
    const failed = fail(database, rules, kept)
    const event = rules.database === 'standalone' ? 'the server crashes' : 'another primary is elected'
    step(`${event}; of ${database.tail.length} writes ${kept} remain`, {
      database: failed,
      failures: failures - 1,
      creates: afterFailure(creates, local(failed)),
      reads: reads.map((read) => ({ ...read, unsynced: 0, isSameServer: false })),
      importing: local(failed).counter < importing ? 0 : importing,
    })
  }
  const { former, ...current } = database
  if (former !== undefined) step('the former primary learns that it was deposed', { database: current })
  return steps
}

const operatorSteps = (state: LogState, rules: LogRules, { ids }: LogBounds): readonly Step<LogState>[] => {
  const { database, creates, inserts, imports, counterLosses, importing } = state
  const { records, counter } = local(database)
  const { steps, store } = collect(state, rules)
  const isAtRest = inserts.length === 0 && !creates.some(isUnderWay)
  if (counterLosses > 0 && counter > 0 && (isAtRest || rules.losesCounterAtWork)) {
    const resumed = { counter: highest(records), records: records.replaceAll('-', '.') }
    const lost = { counterLosses: counterLosses - 1 }
    store(`the counter is dropped, and resumes at ${resumed.counter}`, resumed, lost)
    store('the counter is set back to 0', { counter: 0 }, lost)
  }
  if (imports > 0 && counter + 2 <= ids && importing === 0) {
    const leapt = at(records, counter + 1) === '.' ? put(records, counter + 1, '-') : records
    const raised = { imports: imports - 1, importing: counter + 2 }
    store(`an import raises the counter to ${counter + 2}`, { counter: counter + 2, records: leapt }, raised)
  }
  if (importing > 0 && database.durable.counter >= importing)
    for (let id = 1; id <= importing; id += 1)
      if ('v-.'.includes(at(records, id)))
        store(`the import adds a pet at ${id}`, { records: put(records, id, 'i') }, { importing: 0 })
  return steps
}

const broken = ({ database, creates, given, counterLosses }: LogState, bounds: LogBounds): string | undefined => {
  const { records } = local(database)
  if (given.endsWith('!')) return 'all readers are given the same'
  // an import may add a pet where readers were given a void
  for (const [index, one] of [...given].entries())
    if (one === 'v' ? 'abc'.includes(records[index] ?? '') : records[index] !== one) return 'what was given is final'
  for (const [index, { phase, id, floor, losses }] of creates.entries()) {
    const name = nameOf(index)
    if (records.split(name).length > 2) return 'a create adds one pet'
    if (losses > bounds.mayLose) return `a create loses at most ${bounds.mayLose} ids`
    if (phase !== 'answered') continue
    if (at(database.durable.records, id) !== name) return 'an answered pet is never lost'
    if (id <= given.length && at(given, id) !== name) return 'readers are given each answered pet'
    // a counter that was set back fills the gaps below first
    if (id <= floor && counterLosses === bounds.counterLosses) return 'a later pet has a greater id'
  }
  return undefined
}

export const logModel = (rules: LogRules, bounds: LogBounds): Model<LogState> => ({
  initial: initialOf(bounds),
  steps: (state) => [
    ...createSteps(state, rules, bounds),
    ...readerSteps(state, rules, bounds),
    ...databaseSteps(state, rules),
    ...operatorSteps(state, rules, bounds),
  ],
  broken: (state) => broken(state, bounds),
  isComplete: ({ database, creates, given }) =>
    database.tail.length === 0 && !creates.some(isUnderWay) && given.length >= database.durable.counter,
})
