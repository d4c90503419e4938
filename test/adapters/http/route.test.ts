import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/adapters/http/route.js'
import { byPath } from '../../../src/adapters/http/route.js'

const endpoint = async () => E.left({ _tag: 'OperationRemoved' } as const)
const open = (path: string, isProbe: boolean): Route => ({ _tag: 'Public', method: 'GET', path, isProbe, endpoint })
const keyed = (path: string): Route => ({ _tag: 'Key', method: 'GET', path, scope: 'pets:read', endpoint })
const creating = (path: string): Route => ({ _tag: 'Key', method: 'POST', path, scope: 'pets:write', endpoint })

describe('the routes of a path', () => {
  it('are together, in the order of the table, and allow what they serve', () => {
    const table = [keyed('/pets'), open('/docs', false), creating('/pets')]
    const shown = byPath(table).map(({ path, byMethod, allow }) => [path, [...byMethod.keys()], allow])
    expect(shown).toStrictEqual([
      ['/pets', ['GET', 'HEAD', 'POST'], 'GET, HEAD, POST, OPTIONS'],
      ['/docs', ['GET', 'HEAD'], 'GET, HEAD, OPTIONS'],
    ])
  })

  it('are those of a probe only if the table says so', () => {
    const table = [open('/live', true), open('/docs', false), keyed('/pets')]
    expect(byPath(table).map(({ isProbe }) => isProbe)).toStrictEqual([true, false, false])
  })

  it('are deprecated only if the table says so', () => {
    const deprecation = { since: '@1', sunset: 'later', successor: '/pets' }
    const table = [
      { ...keyed('/pets/{petId}'), deprecation },
      open('/docs', false),
      keyed('/pets'),
      creating('/orders'),
    ]
    expect(byPath(table).map((routes) => routes.deprecation?.('http://a/v1'))).toStrictEqual([
      [
        ['Deprecation', '@1'],
        ['Sunset', 'later'],
        ['Link', '<http://a/docs>; rel="deprecation", <http://a/v1/pets>; rel="successor-version"'],
      ],
      undefined,
      undefined,
      undefined,
    ])
  })
})
