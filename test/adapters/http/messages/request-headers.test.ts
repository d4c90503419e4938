import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import {
  idempotencyKeyOf,
  mediaTypeFailure,
  prefersExactCount,
  prefersType,
  requestIdOf,
  traceParentOf,
} from '../../../../src/adapters/http/messages/request-headers.js'
import { plainRequest } from '../../../support/http/plain-request.js'

const text = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)), minLength, maxLength })
const VISIBLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).join('')

describe('idempotencyKeyOf', () => {
  const keyOf = (sent: string) => idempotencyKeyOf(plainRequest({ headers: { 'idempotency-key': sent } }))

  it('reads any visible key, bare or quoted', () => {
    fc.assert(
      fc.property(text(VISIBLE, 1, 255), (key) => {
        const quoted = `"${key.replaceAll(/["\\]/g, '\\$&')}"`
        expect(keyOf(quoted)).toEqual(E.right(O.some(key)))
        if (!key.startsWith('"')) expect(keyOf(key)).toEqual(E.right(O.some(key)))
      }),
    )
  })
})

describe('requestIdOf', () => {
  it('keeps ids that are safe in a header and a log', () => {
    fc.assert(
      fc.property(text('azAZ09._:+/=@~-', 1, 128), (id) => {
        expect(requestIdOf(id)).toBe(id)
      }),
    )
  })

  it('replaces all other ids', () => {
    fc.assert(
      fc.property(fc.string(), (sent) => {
        expect(requestIdOf(sent)).toMatch(/^[\w.:+/=@~-]{1,128}$/)
      }),
    )
  })
})

describe('traceParentOf', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

  it.each([
    [`00-${TRACE}`, `00-${TRACE}`],
    [`cc-${TRACE}`, `00-${TRACE}`],
    [`cc-${TRACE}-what-the-future-will-be`, `00-${TRACE}`],
    [`ff-${TRACE}`, undefined],
    [`00-${TRACE}, 00-${TRACE}`, undefined],
    ['', undefined],
  ])('passes on %s as %s', (sent, expected) => {
    expect(traceParentOf(sent)).toBe(expected)
  })
})

describe('prefersExactCount', () => {
  it.each<[readonly string[], boolean]>([
    [['count=exact'], true],
    [['return=minimal', 'Count = "exact"'], true],
    [['respond-async, count=exact; x=y'], true],
    [[], false],
    [['count=none', 'count=exact'], false],
    [['count\t= exact'], true],
    [['a="x,count=none",count=exact'], true],
    [['a="never closed, count=exact'], false],
  ])('of %j is %s', (prefer, wanted) => {
    expect(prefersExactCount(plainRequest({ headers: { prefer } }))).toBe(wanted)
  })
})

describe('several lines of a list', () => {
  it.each<[readonly string[], boolean]>([
    [['text/html;q=0.1', 'a/b'], true],
    [['a/b', 'text/html'], true],
    [['a/b;q=0.5', 'text/html'], false],
    [['text/html;x="', '", a/b'], true],
    [[], false],
  ])('are one list of media ranges: %j', (accept, wanted) => {
    expect(prefersType('a/b', plainRequest({ headers: { accept } }))).toBe(wanted)
  })

  it.each<[readonly string[], boolean]>([
    [['identity', 'Identity'], true],
    [['', ''], true],
    [['', 'gzip'], false],
  ])('are one list of codings: %j', (codings, isAccepted) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': codings }
    expect(mediaTypeFailure(plainRequest({ headers })) === undefined).toBe(isAccepted)
  })
})
