import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantText } from '../../src/domain/instant.js'
import { instant } from '../../src/testing/arbitraries.js'

describe('instantText', () => {
  it('formats an instant as RFC 3339 in UTC, to the millisecond', () => {
    expect(instantText(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(instantText(253_402_300_799_999)).toBe('9999-12-31T23:59:59.999Z')
  })

  it('loses no information', () => {
    fc.assert(
      fc.property(instant(), (moment) => {
        expect(instantText(moment)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        expect(Date.parse(instantText(moment))).toBe(moment)
      }),
    )
  })
})
