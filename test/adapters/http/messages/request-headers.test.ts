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
  traceIdOf,
  traceParentOf,
} from '../../../../src/adapters/http/messages/request-headers.js'
import { plainRequest } from '../../../support/http/plain-request.js'

const text = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)), minLength, maxLength })
const VISIBLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).join('')
const hex = (length: number) => text('0123456789abcdef', length, length)

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

  it('returns none without the header', () => {
    expect(idempotencyKeyOf(plainRequest())).toEqual(E.right(O.none))
  })

  const form = 'must have 1 to 255 visible characters, quoted or bare'

  it.each<readonly [string, readonly string[], string]>([
    ['an empty one', [''], form],
    ['an empty quoted one', ['""'], form],
    ['one with a space', ['a b'], form],
    ['one after a space', [' ab'], form],
    ['one with a letter beyond ASCII', ['é1'], form],
    ['256 characters', ['x'.repeat(256)], form],
    ['256 quoted characters', [`"${'x'.repeat(256)}"`], form],
    ['a quote that is not closed', ['"ab'], form],
    ['a quote that is closed too early', ['"a"b"'], form],
    ['two', ['a', 'b'], 'must be given once'],
  ])('refuses %s', (_, sent, reason) => {
    expect(idempotencyKeyOf(plainRequest({ headers: { 'idempotency-key': sent } }))).toEqual(
      E.left({ _tag: 'InvalidParameter', reason: `Idempotency-Key ${reason}` }),
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

describe('traceIdOf', () => {
  it('reads any trace except zeros', () => {
    fc.assert(
      fc.property(hex(32), hex(16), hex(2), (trace, parent, flags) => {
        fc.pre(!/^0+$/.test(trace) && !/^0+$/.test(parent))
        expect(traceIdOf(`00-${trace}-${parent}-${flags}`)).toBe(trace)
        expect(traceIdOf(`${trace}-${parent}-${flags}`)).toBeUndefined()
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
    [['count'], false],
    [['count=exactly'], false],
    [['count=none', 'count=exact'], false],
    [['discount=exact'], false],
    [['count=exact-ish'], false],
    [['count="exact'], false],
    [['count="ex\\act"'], true],
    [['count\t= exact'], true],
    [['count=exact extra'], false],
    [['a="x,count=none",count=exact'], true],
    [['a="x\\",count=none",count=exact'], true],
    [['a="never closed, count=exact'], false],
    [['count ; x, count=exact'], false],
    [['  count=exact  '], true],
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
