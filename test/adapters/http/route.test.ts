import { expect, it } from 'vitest'
import { removedEndpoint } from '../../../src/adapters/http/endpoints/pets.js'
import { exactFirst, type Route } from '../../../src/adapters/http/route.js'

const DEPRECATION = { since: '@1', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', successor: '/new' }

const row = (method: 'GET' | 'POST', deprecation?: typeof DEPRECATION): Route => ({
  ...({ _tag: 'Key', method, path: '/v1/old', scope: 'pets:read' } as const),
  ...(deprecation !== undefined && { deprecation }),
  endpoint: removedEndpoint,
})

it.each([
  ['one of two', [row('GET', DEPRECATION), row('POST')], ['GET', 'HEAD']],
  ['the other of two', [row('GET'), row('POST', DEPRECATION)], ['POST']],
  ['the only one', [row('GET', DEPRECATION)], ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']],
  ['none', [row('GET')], []],
])('a deprecated row announces its own removal, not that of its path: %s', (_, table, wanted) => {
  const target = exactFirst(table, () => () => undefined)('/v1/old')?.target
  const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']
  expect(methods.filter((method) => target?.deprecationOf(method) !== undefined)).toStrictEqual(wanted)
})
