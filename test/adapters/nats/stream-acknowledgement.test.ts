import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StreamAcknowledgement } from '../../../src/adapters/nats/stream-acknowledgement.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

const stream = { pointer: '/stream', reason: 'must name a stream' }
const seq = { pointer: '/seq', reason: 'must be a sequence from 1' }

describe('StreamAcknowledgement', () => {
  codecSuite({
    name: 'StreamAcknowledgement',
    codec: StreamAcknowledgement,
    values: () =>
      fc.record({ stream: fc.string({ minLength: 1 }), seq: fc.integer({ min: 1 }) }, { noNullPrototype: true }),
    refused: [
      [null, whole('must be an object')],
      [
        {},
        [
          { pointer: '/stream', reason: 'is required' },
          { pointer: '/seq', reason: 'is required' },
        ],
      ],
      [{ stream: '', seq: 1 }, [stream]],
      [{ stream: ['a'], seq: 1 }, [stream]],
      [{ stream: 'a', seq: 0 }, [seq]],
      [{ stream: 'a', seq: 1.5 }, [seq]],
      [{ stream: 'a', seq: '1' }, [seq]],
    ],
  })

  it('accepts a duplicate, and a sequence that a double rounds', () => {
    expect(StreamAcknowledgement.decode({ stream: 'a', seq: 2 ** 60, duplicate: true })).toStrictEqual({
      _tag: 'Right',
      right: { stream: 'a', seq: 2 ** 60 },
    })
  })
})
