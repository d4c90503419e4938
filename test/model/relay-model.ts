// The model of the relay: two of them, a replay, an import, and a database that fails. Its law: no event is lost.
// The log is given: what it shows is final, except for what the import adds.
import { commit, fail, local } from './database.js'
import type { Model, Step } from './explore.js'
import {
  at,
  type Command,
  type Contents,
  collect,
  FORGOTTEN,
  IMPORTED,
  initialOf,
  put,
  REPLAYED,
  type RelayBounds,
  type RelayRules,
  type RelayState,
} from './relay-state.js'
import { relaySteps } from './relay-steps.js'

/** The rules of the relay. A standalone server has durable reads too: the journal of the same server confirms them. */
export const ON_REPLICA_SET: RelayRules = {
  database: 'replica set',
  reads: 'majority',
  maxTail: 2,
  compares: true,
  forgets: 'all',
  unites: 'before and after',
}

const commandSteps = (state: RelayState, rules: RelayRules): readonly Step<RelayState>[] => {
  const { database, replay, import: command, left } = state
  const now = local(database)
  const { steps, store } = collect(state, rules)
  const unsynced = database.tail.length + 1

  const unite = (number: number, holder: string): Partial<Contents> => ({
    pending: put(now.pending, number, '1'),
    version: now.version + 1,
    holder,
  })
  if (left.replays > 0 && replay.steps === 0)
    store(`a replay unites ${REPLAYED}`, unite(REPLAYED, now.holder), {
      replay: { steps: 1, unsynced, isPublished: false },
    })
  if (left.imports > 0 && command.unsynced === 0) {
    const next = { import: { steps: command.steps + 1, unsynced } }
    if (command.steps === 0) store(`an import takes the lease and unites ${IMPORTED}`, unite(IMPORTED, 'I'), next)
    if (command.steps === 1) store(`the import adds ${IMPORTED}`, { log: put(now.log, IMPORTED, 'i') }, next)
    const holder = now.holder === 'I' ? '' : now.holder
    if (command.steps === 2 && rules.unites === 'before')
      store('the import gives the lease up', { holder, version: now.version + 1 }, next)
    if (command.steps === 2 && rules.unites === 'before and after')
      store(`the import unites ${IMPORTED} again and gives the lease up`, unite(IMPORTED, holder), next)
  }
  return steps
}

const databaseSteps = (state: RelayState, rules: RelayRules): readonly Step<RelayState>[] => {
  const { database, relays, replay, import: command, left } = state
  const { steps, step } = collect(state, rules)
  const synced = <A extends Command>(one: A): A => ({ ...one, unsynced: Math.max(0, one.unsynced - 1) })
  if (database.tail.length > 0)
    step('the oldest write is durable', {
      database: commit(database),
      relays: relays.map((relay) => ({
        ...relay,
        awaits: relay.awaits && { ...relay.awaits, unsynced: relay.awaits.unsynced && relay.awaits.unsynced - 1 },
      })),
      replay: synced(replay),
      import: synced(command),
    })
  // a command repeats a step that was lost
  const lost = <A extends Command>(one: A, kept: number): A =>
    one.unsynced > kept ? { ...one, steps: one.steps - 1, unsynced: 0 } : one
  for (let kept = 0; kept <= database.tail.length && left.failures > 0; kept += 1)
    step(`the database fails; of ${database.tail.length} writes ${kept} remain`, {
      database: fail(database, rules, kept),
      left: { ...left, failures: left.failures - 1 },
      relays: relays.map((relay) => ((relay.awaits?.unsynced ?? 0) > kept ? FORGOTTEN : relay)),
      replay: lost(replay, kept),
      import: lost(command, kept),
    })
  const { former, ...current } = database
  if (former !== undefined) step('the former primary learns that it was deposed', { database: current })
  return steps
}

const broken = ({ database, published, replay, import: command }: RelayState): string | undefined => {
  for (const { log, pending } of [database.durable, local(database)]) {
    const isKept = (number: number) => at(pending, number) === '1'
    for (const number of [1, 2])
      if (at(log, number) === 'p' && at(published, number) !== 's' && !isKept(number)) return 'no event is lost'
    const isImported = command.steps === 3 && command.unsynced === 0
    if (isImported && at(published, IMPORTED) !== 's' && !isKept(IMPORTED))
      return 'no event of a finished import is lost'
    const isReplayed = replay.steps === 1 && replay.unsynced === 0
    if (isReplayed && !replay.isPublished && !isKept(REPLAYED)) return 'nothing undoes a replay'
  }
  return undefined
}

export const relayModel = (rules: RelayRules, bounds: RelayBounds): Model<RelayState> => ({
  initial: initialOf(bounds),
  steps: (state) => [...relaySteps(state, rules), ...commandSteps(state, rules), ...databaseSteps(state, rules)],
  broken,
  isComplete: ({ database: { durable, tail }, saves }) =>
    tail.length === 0 && saves.length === 0 && durable.pending === '00',
})
