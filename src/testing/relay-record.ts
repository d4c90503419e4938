// The fast-check generator of the relay's record.
import fc from 'fast-check'
import { LAST_NUMBER, unite } from '../domain/events/number-ranges.js'
import type { RelayRecord } from '../domain/events/relay-record.js'
import { character, plain } from './arbitraries.js'

const eventNumber = () => fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: LAST_NUMBER }))

/**
 * Any record of a relay.
 *
 * @example
 * fc.assert(fc.property(relayRecord(), RelayRecord.is))
 */
export const relayRecord = (): fc.Arbitrary<RelayRecord> =>
  fc.record(
    {
      pending: fc
        .array(fc.tuple(eventNumber(), eventNumber()), { maxLength: 8 })
        .map((pairs) => unite(...pairs.map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const))),
      parked: fc.array(fc.record({ number: eventNumber(), reason: fc.string({ unit: character() }) }, plain), {
        maxLength: 4,
      }),
      hasSent: fc.boolean(),
      leaseMs: fc.nat(),
      version: fc.integer({ min: 1, max: LAST_NUMBER }),
      holder: fc.uuid(),
      attempts: fc.record({ number: eventNumber(), count: fc.integer({ min: 1, max: 9 }) }, plain),
    },
    { ...plain, requiredKeys: ['pending', 'parked', 'hasSent', 'leaseMs', 'version'] },
  )
