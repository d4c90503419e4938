// Explores the model of the relay. Each probe changes one rule of its saves, and the shortest way on which an event is then lost has as
// many steps as it says.
import { expect, it } from 'vitest'
import { explore } from './explore.js'
import { ON_REPLICA_SET, relayModel } from './relay-model.js'
import type { RelayBounds, RelayRules } from './relay-state.js'

const TAKE_OVER: RelayBounds = { failures: 0, takeOvers: 1, replays: 0 }
/** Writes that overlap: model.nightly.test.ts. */
const STABLE: RelayRules = { ...ON_REPLICA_SET, maxTail: 1 }
const REPLAYED = 'nothing undoes a replay'

// both at once, and an election: model.nightly.test.ts
it.each([
  ['a take-over', TAKE_OVER],
  ['a replay', { ...TAKE_OVER, takeOvers: 0, replays: 1 }],
])('loses no event in %s', (_, bounds) => {
  const { counterexample, stuck, complete } = explore(relayModel(ON_REPLICA_SET, bounds))
  expect({ counterexample, stuck }).toStrictEqual({ counterexample: undefined, stuck: 0 })
  expect(complete).toBeGreaterThan(0)
})

it.each<[string, RelayRules, RelayBounds, string, number]>([
  ['saves without comparing the version', { ...STABLE, compares: false }, { ...TAKE_OVER, replays: 1 }, REPLAYED, 6],
  [
    'continues from a record that a crash takes back, so that two saves get the same version',
    { ...ON_REPLICA_SET, database: 'standalone', reads: 'local' },
    { ...TAKE_OVER, failures: 1, replays: 1 },
    REPLAYED,
    8,
  ],
  ['keeps what it did when a save fails', { ...STABLE, forgets: false }, { ...TAKE_OVER, replays: 1 }, REPLAYED, 8],
])('a relay that %s breaks its law', (_, rules, bounds, breaks, length) => {
  const { counterexample } = explore(relayModel(rules, bounds))
  expect(counterexample?.breaks).toBe(breaks)
  expect(counterexample?.steps).toHaveLength(length)
})
