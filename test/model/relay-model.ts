// The model of the relay: two of them, a replay, and a database that fails. Its law: no event is lost.
import { commit, fail, local } from './database.js'
import type { Model, Step } from './explore.js'
import {
  collect,
  FORGOTTEN,
  initialOf,
  LOG,
  REPLAYED,
  type RelayBounds,
  type RelayRules,
  type RelayState,
  relaySteps,
} from './relay-steps.js'

/** The rules of the relay. A standalone server has durable reads too: the journal of the same server confirms them. */
export const ON_REPLICA_SET: RelayRules = {
  database: 'replica set',
  reads: 'majority',
  maxTail: 2,
  compares: true,
  forgets: true,
}

const commandSteps = (state: RelayState, rules: RelayRules): readonly Step<RelayState>[] => {
  const { database, replay, left } = state
  const now = local(database)
  const { steps, store } = collect(state, rules)
  const rewound = { position: Math.min(now.position, REPLAYED - 1), version: now.version + 1 }
  if (left.replays > 0 && replay.steps === 0)
    store(`a replay goes back before ${REPLAYED}`, rewound, {
      replay: { steps: 1, unsynced: database.tail.length + 1, isPublished: false },
    })
  return steps
}

const databaseSteps = (state: RelayState, rules: RelayRules): readonly Step<RelayState>[] => {
  const { database, relays, replay, left } = state
  const { steps, step } = collect(state, rules)
  if (database.tail.length > 0)
    step('the oldest write is durable', {
      database: commit(database),
      relays: relays.map((relay) => ({
        ...relay,
        awaits: relay.awaits && { ...relay.awaits, unsynced: relay.awaits.unsynced && relay.awaits.unsynced - 1 },
      })),
      replay: { ...replay, unsynced: Math.max(0, replay.unsynced - 1) },
    })
  for (let kept = 0; kept <= database.tail.length && left.failures > 0; kept += 1)
    step(`the database fails; of ${database.tail.length} writes ${kept} remain`, {
      database: fail(database, rules, kept),
      left: { ...left, failures: left.failures - 1 },
      relays: relays.map((relay) => ((relay.awaits?.unsynced ?? 0) > kept ? FORGOTTEN : relay)),
      // the command repeats what was lost
      replay: replay.unsynced > kept ? { ...replay, steps: 0, unsynced: 0 } : replay,
    })
  const { former, ...current } = database
  if (former !== undefined) step('the former primary learns that it was deposed', { database: current })
  return steps
}

const broken = ({ database, published, replay }: RelayState): string | undefined => {
  for (const { position } of [database.durable, local(database)]) {
    const passed = Array.from(LOG).flatMap((kind, at) => (kind === 'p' && at + 1 <= position ? [at + 1] : []))
    if (passed.some((number) => !published.includes(number))) return 'no event is lost'
    const isReplayed = replay.steps === 1 && replay.unsynced === 0
    if (isReplayed && !replay.isPublished && position >= REPLAYED) return 'nothing undoes a replay'
  }
  return undefined
}

export const relayModel = (rules: RelayRules, bounds: RelayBounds): Model<RelayState> => ({
  initial: initialOf(bounds),
  steps: (state) => [...relaySteps(state, rules), ...commandSteps(state, rules), ...databaseSteps(state, rules)],
  broken,
  isComplete: ({ database: { durable, tail }, saves }) =>
    tail.length === 0 && saves.length === 0 && durable.position === LOG.length,
})
