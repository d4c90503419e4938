import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestLine } from '../../src/composition/request-line.js'

const answer = fc.record({
  requestId: fc.stringMatching(/^[\w.:+/=@~-]{1,128}$/),
  method: fc.string(),
  route: fc.constantFrom('/v1/pets', '/v1/pets/{petId}', 'unmatched'),
  status: fc.integer({ min: 200, max: 599 }),
  milliseconds: fc.double({ min: 0, max: 100_000, noNaN: true }),
  keyId: fc.option(fc.stringMatching(/^[0-9A-Za-z]{11}$/), { nil: undefined }),
  traceId: fc.option(fc.stringMatching(/^[\da-f]{32}$/), { nil: undefined }),
})

describe('requestLine', () => {
  it('is what a generic encoder writes, in one line', () => {
    fc.assert(
      fc.property(answer, fc.date({ noInvalidDate: true }), ({ milliseconds, ...rest }, date) => {
        const line = requestLine({ milliseconds, ...rest }, date.getTime())
        const { requestId, method, route, status, keyId, traceId } = rest
        const ms = Math.round(milliseconds * 100) / 100
        const fields = { level: 30, time: date.toISOString(), requestId, method, route, status, keyId, traceId, ms }
        expect(line).toBe(`${JSON.stringify({ ...fields, msg: 'request' })}\n`)
      }),
    )
  })
})
