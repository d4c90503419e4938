// Explores the model of the relay. Each probe changes one rule of its saves, and the shortest way on which an event is then lost has as
// many steps as it says. Where none is lost: model.nightly.test.ts.
import { expect, it } from 'vitest'
import { explore } from './explore.js'
import { ON_REPLICA_SET, relayModel } from './relay-model.js'
import type { RelayBounds, RelayRules } from './relay-state.js'

const TAKE_OVER: RelayBounds = { failures: 0, takeOvers: 1, replays: 0, imports: 0 }
/** Nothing is lost without a failure, so writes need not overlap. */
const STABLE: RelayRules = { ...ON_REPLICA_SET, maxTail: 1 }
const REPLAYED = 'nothing undoes a replay'
const IMPORTED = 'no event of a finished import is lost'

it.each<[string, RelayRules, RelayBounds, string, number]>([
  ['saves without comparing the version', { ...STABLE, compares: false }, { ...TAKE_OVER, replays: 1 }, REPLAYED, 7],
  [
    'continues from a record that a crash takes back, so that two saves get the same version',
    { ...ON_REPLICA_SET, database: 'standalone', reads: 'local' },
    { ...TAKE_OVER, failures: 1, replays: 1 },
    REPLAYED,
    9,
  ],
  [
    'keeps what it read ahead when a save fails',
    { ...STABLE, forgets: 'acknowledgements' },
    { ...TAKE_OVER, imports: 1 },
    IMPORTED,
    16,
  ],
  [
    'imports, and unites the numbers only before it adds them',
    { ...STABLE, unites: 'before' },
    { ...TAKE_OVER, imports: 1 },
    IMPORTED,
    15,
  ],
])('a relay that %s breaks its law', (_, rules, bounds, breaks, length) => {
  const { counterexample } = explore(relayModel(rules, bounds))
  expect(counterexample?.breaks).toBe(breaks)
  expect(counterexample?.steps).toHaveLength(length)
})
