import { describe } from 'vitest'
import { PetCreated, TraceParent } from '../../../src/domain/events/domain-event.js'
import { petCreated } from '../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('PetCreated', () => {
  const good = { _tag: 'PetCreated', eventId: 'e1', time: 0, pet: { id: 1n, name: 'Rex', categoryId: 7n } }
  codecSuite({
    name: 'PetCreated',
    codec: PetCreated,
    values: petCreated,
    refused: [
      [undefined, whole('must be an object')],
      [{ ...good, _tag: 'PetSold' }, [{ pointer: '/_tag', reason: 'must be one of PetCreated' }]],
      [{ ...good, traceparent: '00' }, [{ pointer: '/traceparent', reason: 'must be a traceparent of version 00' }]],
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
