import { describe, expect, it } from 'vitest'
import { mediaTypeFailure, prefersType } from '../../../../src/adapters/http/messages/request-headers.js'
import { plainRequest } from '../../../support/http/plain-request.js'

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
