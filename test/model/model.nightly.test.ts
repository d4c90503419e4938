// Explores the larger bounds of the models, which take minutes.
import { describe, expect, it } from 'vitest'
import { explore } from './explore.js'
import * as Log from './log-model.js'
import * as Relay from './relay-model.js'

/** The longest takes 80 s of one core. */
const TIMEOUT_MS = 600_000
const HOLDS = { counterexample: undefined, stuck: 0, complete: expect.any(Number) }
const THREE = { creates: 3, readers: 1, ids: 3, mayLose: 2, failures: 1, imports: 0, counterLosses: 0 }
const RELAY = { failures: 0, takeOvers: 1, replays: 0 }

describe('the log', { timeout: TIMEOUT_MS }, () => {
  it('keeps its law with three creates and an election', () => {
    expect(explore(Log.logModel(Log.ON_REPLICA_SET, THREE))).toMatchObject(HOLDS)
  })

  it('keeps its law with three creates and a crash of a standalone server', () => {
    const oneWrite = { ...Log.ON_STANDALONE, maxTail: 1 }
    expect(explore(Log.logModel(oneWrite, THREE))).toMatchObject(HOLDS)
  })

  it('keeps its law with two reads at a time that await the journal', () => {
    expect(explore(Log.logModel(Log.ON_STANDALONE, { ...THREE, creates: 2, readers: 2 }))).toMatchObject(HOLDS)
  })

  it('keeps its law when an import races with two creates', () => {
    const bounds = { ...THREE, creates: 2, ids: 4, failures: 0, imports: 1, counterLosses: 1 }
    const atRest = { ...Log.ON_REPLICA_SET, losesCounterAtWork: false }
    expect(explore(Log.logModel(atRest, bounds))).toMatchObject(HOLDS)
  })

  it('keeps its law when the counter is dropped or set back', () => {
    const bounds = { ...THREE, creates: 2, failures: 0, counterLosses: 1 }
    expect(explore(Log.logModel(Log.ON_REPLICA_SET, bounds))).toMatchObject(HOLDS)
  })

  it('takes no id from three creates if it closes only below a head older than each', () => {
    const patient = { ...Log.ON_REPLICA_SET, closes: 'below an old head' } as const
    expect(explore(Log.logModel(patient, { ...THREE, readers: 2, failures: 0, mayLose: 0 }))).toMatchObject(HOLDS)
  })
})

describe('the relay', { timeout: TIMEOUT_MS }, () => {
  it('loses no event in a take-over during a crash of a standalone server', () => {
    const standalone = { ...Relay.ON_REPLICA_SET, database: 'standalone' } as const
    expect(explore(Relay.relayModel(standalone, { ...RELAY, failures: 1 }))).toMatchObject(HOLDS)
  })

  it('loses no event in a take-over during a replay and an election', () => {
    expect(explore(Relay.relayModel(Relay.ON_REPLICA_SET, { ...RELAY, replays: 1, failures: 1 }))).toMatchObject(HOLDS)
  })
})
