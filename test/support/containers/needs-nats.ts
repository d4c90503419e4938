// A suite that cannot run, for not-run.slow.test.ts.
import { expect, it } from 'vitest'
import { describeWith } from './describe-with.js'

describeWith('nats', 'a suite', () => {
  it('runs', () => {
    expect.unreachable()
  })
})
