import { describe } from 'vitest'
import { PetCreated, TraceParent } from '../../../src/domain/events/domain-event.js'
import { petCreated } from '../../../src/testing/arbitraries.js'
import { codecSuite, faults, whole } from '../../support/domain/codec-suite.js'

describe('PetCreated', () => {
  codecSuite({
    name: 'PetCreated',
    codec: PetCreated,
    values: petCreated,
    refused: [
      [undefined, whole('must be an object')],
      [
        { _tag: 'PetSold', eventId: 7, time: 'now', pet: { id: 1n, name: '', categoryId: 7n }, traceparent: '00' },
        faults(
          ['/_tag', 'must be one of PetCreated'],
          ['/eventId', 'must be a string'],
          ['/time', 'must be an integer of milliseconds since 1970'],
          ['/pet/name', 'must have 1 to 256 characters'],
          ['/traceparent', 'must be a traceparent of version 00'],
        ),
      ],
    ],
  })
})

const GOOD = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('TraceParent', () => {
  codecSuite({
    name: 'TraceParent',
    codec: TraceParent,
    values: () => petCreated().map(({ traceparent = GOOD }) => traceparent),
    refused: [
      ...['', `0${GOOD}`, `${GOOD}0`, ` ${GOOD}`, `${GOOD}-x`, GOOD.toUpperCase(), GOOD.replace('00-', '01-')],
      ...[GOOD.replace(/-\w{32}-/, `-${'0'.repeat(32)}-`), GOOD.replace(/-\w{16}-/, `-${'0'.repeat(16)}-`)],
      ...[null, undefined, [GOOD]],
    ].map((input) => [input, whole('must be a traceparent of version 00')] as const),
  })
})
