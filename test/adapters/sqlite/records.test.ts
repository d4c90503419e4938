import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { recordOf, valuesOf } from '../../../src/adapters/sqlite/records.js'
import * as arbitraries from '../../../src/testing/arbitraries.js'
import { held } from '../../../src/testing/samples.js'

it('a record of a pet is the same after its way through plain values', () => {
  fc.assert(
    fc.property(arbitraries.petCreated(), fc.boolean(), (event, hasKey) => {
      const record = { event, idempotencyKey: hasKey ? held('a', 'k', 90_000) : O.none }
      expect(recordOf(structuredClone(valuesOf(record)))).toStrictEqual(record)
    }),
  )
})
