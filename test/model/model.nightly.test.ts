// Explores the larger bounds of the models, which take minutes.
import { expect, it } from 'vitest'
import { explore } from './explore.js'
import * as Log from './log-model.js'
import type { LogBounds, LogRules } from './log-state.js'
import * as Relay from './relay-model.js'

/** The longest test takes 80 s of one core. */
const TIMEOUT_MS = 600_000
const HOLDS = { counterexample: undefined, stuck: 0, complete: expect.any(Number) }
const THREE = { creates: 3, readers: 1, ids: 3, mayLose: 2, failures: 1, imports: 0, counterLosses: 0 }
const RELAY = { failures: 0, takeOvers: 1, replays: 0 }

const OVERLAPPING = { ...THREE, creates: 2 }
const standalone = { ...Relay.ON_REPLICA_SET, database: 'standalone' } as const

it.each<[string, LogRules, LogBounds]>([
  ['with three creates and an election', Log.ON_REPLICA_SET, THREE],
  ['with three creates and a crash of a standalone server', { ...Log.ON_STANDALONE, maxTail: 1 }, THREE],
  ['with two reads at a time that await the journal', Log.ON_STANDALONE, { ...OVERLAPPING, readers: 2 }],
  [
    'when an import races with two creates',
    { ...Log.ON_REPLICA_SET, losesCounterAtWork: false },
    { ...OVERLAPPING, ids: 4, failures: 0, imports: 1, counterLosses: 1 },
  ],
  ['when the counter is dropped or set back', Log.ON_REPLICA_SET, { ...OVERLAPPING, failures: 0, counterLosses: 1 }],
  [
    'and takes no id from three creates if it closes only below a head older than each',
    { ...Log.ON_REPLICA_SET, closes: 'below an old head' },
    { ...THREE, readers: 2, failures: 0, mayLose: 0 },
  ],
])('the log keeps its law %s', { timeout: TIMEOUT_MS }, (_, rules, bounds) => {
  expect(explore(Log.logModel(rules, bounds))).toMatchObject(HOLDS)
})

it.each<[string, Relay.RelayRules, Relay.RelayBounds]>([
  ['a crash of a standalone server', standalone, { ...RELAY, failures: 1 }],
  ['a replay and an election', Relay.ON_REPLICA_SET, { ...RELAY, replays: 1, failures: 1 }],
])('the relay loses no event in a take-over during %s', { timeout: TIMEOUT_MS }, (_, rules, bounds) => {
  expect(explore(Relay.relayModel(rules, bounds))).toMatchObject(HOLDS)
})
