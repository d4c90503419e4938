// Explores the model of the log with leaps, and with operators who drop the counter or set it back. Where the law holds: model.fault.test.ts.
import { describe, expect, it } from 'vitest'
import { wayToBreak } from './explore.js'
import { logModel, ON_REPLICA_SET } from './log-model.js'

const TWO = { creates: 2, readers: 1, ids: 3, mayLose: 2, failures: 0, imports: 0, counterLosses: 1 }
const ONE = { ...TWO, creates: 1, imports: 1 }

describe('a probe of leaps', () => {
  it('records a leap over ids that others have drawn', () => {
    expect(wayToBreak(logModel({ ...ON_REPLICA_SET, leapsWhenCatchingUp: true }, TWO))).toMatchInlineSnapshot(`
      [
        "a draws 1",
        "b draws 2",
        "the oldest write is durable",
        "a gets 1 and sends its insert",
        "the oldest write is durable",
        "b gets 2 and sends its insert",
        "a reader closes 2",
        "the insert b2 arrives, or arrives again, and is refused",
        "the oldest write is durable",
        "the counter is set back to 0",
        "b finds another record at 2: IdTaken, and raises the counter to 2",
        "the oldest write is durable",
        "the insert a1 arrives",
        "the oldest write is durable",
        "a reader is given vv, up to 2",
        "BROKEN: what was given is final",
      ]
    `)
  })

  it('ends a read inside a leap', () => {
    expect(
      wayToBreak(logModel({ ...ON_REPLICA_SET, losesCounterAtWork: false, endsInLeap: true }, ONE)),
    ).toMatchInlineSnapshot(`
      [
        "an import raises the counter to 2",
        "the oldest write is durable",
        "a reader is given v, up to 1",
        "the counter is dropped, and resumes at 0",
        "a draws 1",
        "a gets 1 and sends its insert",
        "the oldest write is durable",
        "the insert a1 arrives",
        "BROKEN: what was given is final",
      ]
    `)
  })

  it('uses an id that a leap skips', () => {
    expect(
      wayToBreak(logModel({ ...ON_REPLICA_SET, losesCounterAtWork: false, drawsIntoLeaps: true }, ONE)),
    ).toMatchInlineSnapshot(`
      [
        "an import raises the counter to 2",
        "the oldest write is durable",
        "a reader closes 2",
        "the oldest write is durable",
        "a reader is given vv, up to 2",
        "the counter is set back to 0",
        "a draws 1",
        "a gets 1 and sends its insert",
        "the oldest write is durable",
        "the insert a1 arrives",
        "BROKEN: what was given is final",
      ]
    `)
  })

  it('imports after an operator dropped the counter while an insert was under way', () => {
    expect(wayToBreak(logModel(ON_REPLICA_SET, ONE))).toMatchInlineSnapshot(`
      [
        "a draws 1",
        "the oldest write is durable",
        "a gets 1 and sends its insert",
        "the counter is dropped, and resumes at 0",
        "the oldest write is durable",
        "an import raises the counter to 2",
        "the oldest write is durable",
        "a reader closes 2",
        "the insert a1 arrives",
        "the oldest write is durable",
        "a reader is given vv, up to 2",
        "BROKEN: what was given is final",
      ]
    `)
  })
})
