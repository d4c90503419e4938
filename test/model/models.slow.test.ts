// Explores the models. Each probe changes one rule of the store or relay; the shortest path that breaks the law then
// has the given number of steps, which explore.ts names.
import { expect, it } from 'vitest'
import { explore, type Model } from './explore.js'
import { logModel, ON_REPLICA_SET as SET, ON_STANDALONE as SINGLE } from './log-model.js'
import type { LogBounds, LogRules } from './log-state.js'
import { ON_REPLICA_SET as RELAY, type RelayBounds, type RelayRules, relayModel } from './relay-model.js'

const expectLaw = <S extends object>(model: Model<S>): void => {
  const { counterexample, stuck, complete } = explore(model)
  expect({ counterexample, stuck }).toStrictEqual({ counterexample: undefined, stuck: 0 })
  expect(complete).toBeGreaterThan(0)
}

const expectBroken = <S extends object>(model: Model<S>, breaks: string, length: number): void => {
  const { counterexample } = explore(model)
  expect(counterexample?.breaks).toBe(breaks)
  expect(counterexample?.steps).toHaveLength(length)
}

const ONE: LogBounds = { creates: 1, readers: 1, ids: 3, mayLose: 2, failures: 0, imports: 0, counterLosses: 0 }
const FAILING = { ...ONE, failures: 1 }
const TWO_AND_LOSS = { ...ONE, creates: 2, counterLosses: 1 }
const ONE_LEAP = { ...ONE, imports: 1, counterLosses: 1 }
const AT_REST: LogRules = { ...SET, losesCounterAtWork: false }
const FINAL = 'what was given is final'

// More creates and readers, and leaps: model.nightly.test.ts
it.each([
  ['an election, with a former primary that still answers', SET],
  ['a crash of a standalone server', SINGLE],
] as const)('the log keeps its law through %s', (_, rules) => {
  expectLaw(logModel(rules, FAILING))
})

it.each<[string, LogRules, LogBounds, string, number]>([
  ['passes gaps instead of closing them', { ...SET, passesGaps: true }, ONE, FINAL, 5],
  ['passes what a primary does not show', { ...SET, passesUnseen: true }, FAILING, 'all readers are given the same', 8],
  ['closes gaps to the end of the log', { ...SET, closes: 'to the end' }, ONE, 'a create loses at most 2 ids', 21],
  ['reads what no majority has', { ...SET, reads: 'local' }, FAILING, FINAL, 6],
  ['gives out what the journal does not have', { ...SINGLE, awaits: 'nothing' }, FAILING, FINAL, 6],
  ['awaits the journal of a server that was restarted', { ...SINGLE, awaits: 'journal' }, FAILING, FINAL, 7],
  [
    'believes a refusal that the journal lacks',
    { ...SINGLE, refusedWait: false },
    FAILING,
    'an answered pet is never lost',
    6,
  ],
  ['records a leap over drawn ids', { ...SET, leapsWhenCatchingUp: true }, TWO_AND_LOSS, FINAL, 15],
  ['ends a read inside a leap', { ...AT_REST, endsInLeap: true }, ONE_LEAP, FINAL, 8],
  ['uses an id that a leap skips', { ...AT_REST, drawsIntoLeaps: true }, ONE_LEAP, FINAL, 10],
  ['imports after a counter was lost with an insert under way', SET, ONE_LEAP, FINAL, 11],
])('a log that %s breaks its law', (_, rules, bounds, breaks, length) => {
  expectBroken(logModel(rules, bounds), breaks, length)
})

const TAKE_OVER: RelayBounds = { failures: 0, takeOvers: 1, replays: 0 }
/** Without overlapping writes, which model.nightly.test.ts explores. */
const STABLE: RelayRules = { ...RELAY, maxTail: 1 }
const REPLAYED = 'nothing undoes a replay'
const WITH_REPLAY = { ...TAKE_OVER, replays: 1 }
const CRASHING: RelayRules = { ...RELAY, database: 'standalone', reads: 'local' }

// Both at once, and an election: model.nightly.test.ts
it.each([
  ['a take-over', TAKE_OVER],
  ['a replay', { ...TAKE_OVER, takeOvers: 0, replays: 1 }],
])('the relay loses no event in %s', (_, bounds) => {
  expectLaw(relayModel(RELAY, bounds))
})

it.each<[string, RelayRules, RelayBounds, string, number]>([
  ['saves without comparing the version', { ...STABLE, compares: false }, WITH_REPLAY, REPLAYED, 6],
  ['continues from a record that a crash takes back', CRASHING, { ...WITH_REPLAY, failures: 1 }, REPLAYED, 8],
  ['keeps what it did when a save fails', { ...STABLE, forgets: false }, WITH_REPLAY, REPLAYED, 8],
])('a relay that %s breaks its law', (_, rules, bounds, breaks, length) => {
  expectBroken(relayModel(rules, bounds), breaks, length)
})
