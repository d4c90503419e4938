import { describe, expect, it } from 'vitest'
import { unavailable } from '../../src/domain/errors.js'

describe('unavailable', () => {
  it('keeps the cause for the log', () => {
    const cause = new Error('connection refused')
    const failure = unavailable(cause)
    expect(failure).toStrictEqual({ _tag: 'Unavailable', cause })
    expect(failure.cause).toBe(cause)
  })
})
