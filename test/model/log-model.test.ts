// Explores the model of the log. Each probe changes one rule of the store, and shows how that breaks the law.
import { describe, expect, it } from 'vitest'
import { explore, wayToBreak } from './explore.js'
import { logModel, ON_REPLICA_SET, ON_STANDALONE } from './log-model.js'

const ONE = { creates: 1, readers: 1, ids: 3, mayLose: 2, failures: 0, imports: 0, counterLosses: 0 }

// with more creates and readers in model.fault.test.ts
it.each([
  ['an election, with a former primary that still answers', ON_REPLICA_SET],
  ['a crash of a standalone server', ON_STANDALONE],
] as const)('the log keeps its law through %s', (_, rules) => {
  const { counterexample, stuck, complete } = explore(logModel(rules, { ...ONE, failures: 1 }))
  expect({ counterexample, stuck }).toStrictEqual({ counterexample: undefined, stuck: 0 })
  expect(complete).toBeGreaterThan(0)
})

describe('a probe of the log', () => {
  it('passes gaps instead of closing them', () => {
    expect(wayToBreak(logModel({ ...ON_REPLICA_SET, passesGaps: true }, ONE))).toMatchInlineSnapshot(`
      [
        "a draws 1",
        "the oldest write is durable",
        "a gets 1 and sends its insert",
        "the insert a1 arrives",
        "a reader is given v, up to 1",
        "BROKEN: what was given is final",
      ]
    `)
  })

  it('passes what a former or a new primary does not show, because others were given it', () => {
    const model = logModel({ ...ON_REPLICA_SET, passesUnseen: true }, { ...ONE, failures: 1 })
    expect(wayToBreak(model)).toMatchInlineSnapshot(`
      [
        "a draws 1",
        "the oldest write is durable",
        "a gets 1 and sends its insert",
        "the insert a1 arrives",
        "another primary is elected; of 1 writes 1 remain",
        "the oldest write is durable",
        "a reader is given a, up to 1",
        "a reader on the former primary that continues at 0 is given v, up to 1",
        "BROKEN: all readers are given the same",
      ]
    `)
  })

  it('closes gaps to the end of the log: no law is broken, but no create ever succeeds', () => {
    expect(wayToBreak(logModel({ ...ON_REPLICA_SET, closes: 'to the end' }, ONE))).toMatchInlineSnapshot(`
      [
        "a draws 1",
        "the oldest write is durable",
        "a gets 1 and sends its insert",
        "a reader closes 1",
        "the insert a1 arrives, or arrives again, and is refused",
        "the oldest write is durable",
        "a finds another record at 1: IdTaken",
        "a draws 2",
        "the oldest write is durable",
        "a gets 2 and sends its insert",
        "a reader closes 2",
        "the insert a2 arrives, or arrives again, and is refused",
        "the oldest write is durable",
        "a finds another record at 2: IdTaken",
        "a draws 3",
        "the oldest write is durable",
        "a gets 3 and sends its insert",
        "a reader closes 3",
        "the insert a3 arrives, or arrives again, and is refused",
        "the oldest write is durable",
        "a finds another record at 3: IdTaken",
        "BROKEN: a create loses at most 2 ids",
      ]
    `)
  })

  it('reads from a replica set what no majority has', () => {
    const model = logModel({ ...ON_REPLICA_SET, reads: 'local' }, { ...ONE, failures: 1 })
    expect(wayToBreak(model)).toMatchInlineSnapshot(`
      [
        "a draws 1",
        "the oldest write is durable",
        "a gets 1 and sends its insert",
        "the insert a1 arrives",
        "a reader is given a, up to 1",
        "another primary is elected; of 1 writes 0 remain",
        "BROKEN: what was given is final",
      ]
    `)
  })

  it('gives out what the journal does not have', () => {
    const model = logModel({ ...ON_STANDALONE, awaits: 'nothing' }, { ...ONE, failures: 1 })
    expect(wayToBreak(model)).toMatchInlineSnapshot(`
      [
        "a draws 1",
        "the oldest write is durable",
        "a gets 1 and sends its insert",
        "the insert a1 arrives",
        "a reader is given a, up to 1",
        "the server crashes; of 1 writes 0 remain",
        "BROKEN: what was given is final",
      ]
    `)
  })

  it('awaits the journal of a server that was restarted after the read', () => {
    const model = logModel({ ...ON_STANDALONE, awaits: 'journal' }, { ...ONE, failures: 1 })
    expect(wayToBreak(model)).toMatchInlineSnapshot(`
      [
        "a draws 1",
        "the oldest write is durable",
        "a gets 1 and sends its insert",
        "the insert a1 arrives",
        "a reader finds a above 0",
        "the server crashes; of 1 writes 0 remain",
        "a journaled write is acknowledged, and a reader is given a, up to 1",
        "BROKEN: what was given is final",
      ]
    `)
  })

  it('believes a refusal by a record that the journal does not have', () => {
    const model = logModel({ ...ON_STANDALONE, refusalsWait: false }, { ...ONE, failures: 1 })
    expect(wayToBreak(model)).toMatchInlineSnapshot(`
      [
        "a draws 1",
        "the oldest write is durable",
        "a gets 1 and sends its insert",
        "the insert a1 arrives",
        "the insert a1 arrives, or arrives again, and is refused",
        "a finds its own record at 1",
        "BROKEN: an answered pet is never lost",
      ]
    `)
  })
})
