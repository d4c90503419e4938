// Explores the model of the relay. Each probe changes one rule of its saves, and shows which event is then lost. Where none is
// lost: model.fault.test.ts.
import { describe, expect, it } from 'vitest'
import { wayToBreak } from './explore.js'
import { ON_REPLICA_SET, relayModel } from './relay-model.js'

const TAKE_OVER = { failures: 0, takeOvers: 1, replays: 0, imports: 0 }
/** Nothing is lost without a failure, so writes need not overlap. */
const STABLE = { ...ON_REPLICA_SET, maxTail: 1 }

describe('a probe of the relay', () => {
  it('saves without comparing the version', () => {
    const model = relayModel({ ...STABLE, compares: false }, { ...TAKE_OVER, replays: 1 })
    expect(wayToBreak(model)).toMatchInlineSnapshot(`
      [
        "A reads the record",
        "A reads ahead: pv",
        "A publishes 1",
        "A saves",
        "a replay unites 1",
        "the oldest write is durable",
        "a save of A arrives",
        "BROKEN: nothing undoes a replay",
      ]
    `)
  })

  it('continues from a record that a crash takes back, so that two saves get the same version', () => {
    const standalone = { ...ON_REPLICA_SET, database: 'standalone', reads: 'local' } as const
    expect(wayToBreak(relayModel(standalone, { ...TAKE_OVER, failures: 1, replays: 1 }))).toMatchInlineSnapshot(`
      [
        "B takes over",
        "B reads the record",
        "B reads ahead: pv",
        "B publishes 1",
        "B saves",
        "the database fails; of 1 writes 0 remain",
        "a replay unites 1",
        "a save of B arrives",
        "the oldest write is durable",
        "BROKEN: nothing undoes a replay",
      ]
    `)
  })

  it('keeps what it read ahead when a save fails', () => {
    const model = relayModel({ ...STABLE, forgets: 'acknowledgements' }, { ...TAKE_OVER, imports: 1 })
    expect(wayToBreak(model)).toMatchInlineSnapshot(`
      [
        "A reads the record",
        "A reads ahead: pv",
        "A has no answer to its save, or starts again",
        "an import takes the lease and unites 2",
        "the oldest write is durable",
        "A takes over",
        "the oldest write is durable",
        "the import adds 2",
        "the oldest write is durable",
        "the import unites 2 again and gives the lease up",
        "the oldest write is durable",
        "A reads the record",
        "A publishes 1",
        "A passes 2",
        "A saves",
        "a save of A arrives",
        "BROKEN: no event of a finished import is lost",
      ]
    `)
  })

  it('imports, and unites the numbers only before it adds them', () => {
    const model = relayModel({ ...STABLE, unites: 'before' }, { ...TAKE_OVER, imports: 1 })
    expect(wayToBreak(model)).toMatchInlineSnapshot(`
      [
        "an import takes the lease and unites 2",
        "the oldest write is durable",
        "A takes over",
        "the oldest write is durable",
        "A reads the record",
        "A reads ahead: pv",
        "A publishes 1",
        "A passes 2",
        "A saves",
        "a save of A arrives",
        "the oldest write is durable",
        "the import adds 2",
        "the oldest write is durable",
        "the import gives the lease up",
        "the oldest write is durable",
        "BROKEN: no event of a finished import is lost",
      ]
    `)
  })
})
