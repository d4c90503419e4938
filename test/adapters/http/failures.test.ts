import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { type AnyFailure, makeErrorReply } from '../../../src/adapters/http/failures.js'
import { fieldOf } from '../../../src/adapters/http/messages/message.js'
import { failingApiKeys, failingIds, failingPets, failingPing } from '../../support/domain/failing-ports.js'
import { type Options, startHttp, type TestService } from '../../support/http/http-service.js'

const SECRET = 'secret of the inside'
const defect = (): never => {
  throw new Error(SECRET)
}
const rejection = () => () => Promise.reject(new Error(SECRET))

const REQUESTS: readonly (readonly [string, string])[] = [
  ['GET', '/v1/pets'],
  ['POST', '/v1/pets'],
  ['GET', '/v1/pets/1'],
]

const send = ({ call }: TestService, method: string, path: string) =>
  call(method, path, {
    headers: { 'X-Request-Id': 'r1' },
    ...(method === 'POST' && { body: '{"name":"a","categoryId":1}' }),
  })

/** Without the request line. */
const failuresIn = ({ logTexts }: TestService): readonly string[] =>
  logTexts.filter((line) => line.includes('"msg":"failure"'))

describe.each<[string, () => TE.TaskEither<never, never>]>([
  ['throws', defect],
  ['rejects', rejection],
  ['fails with an error', () => TE.left(new Error(SECRET) as never)],
])('a port that %s', (_, broken) => {
  const replace: Options['replace'] = ({ pets }) => ({
    pets: { ...pets, add: broken, findById: broken, findPage: broken },
  })

  it.each(REQUESTS)('causes a 500 at %s %s, with details only in the log [rule-2 5xx]', async (method, path) => {
    const service = await startHttp({ replace })
    const response = await send(service, method, path)
    const message = 'internal error (request r1)'
    expect(response).toMatchObject({ status: 500, json: { code: 'internal_error', message, status: 500n } })
    expect(JSON.stringify([...response.headers])).not.toContain(SECRET)
    expect(failuresIn(service)).toEqual([expect.stringContaining(SECRET)])
    expect(failuresIn(service)[0]).toContain('"requestId":"r1"')
    expect(service.requestLines()).toMatchObject([{ status: 500, requestId: 'r1' }])
  })
})

describe('an unavailable store', () => {
  const replace: Options['replace'] = ({ pets: { storage } }) => ({
    pets: { ...failingPets, storage },
    ping: failingPing,
  })

  it.each(REQUESTS)('causes a 503 with Retry-After at %s %s [5xx]', async (method, path) => {
    const service = await startHttp({ replace })
    const response = await send(service, method, path)
    const message = 'the service is temporarily unavailable; retry later (request r1)'
    expect(response).toMatchObject({ status: 503, json: { code: 'unavailable', message, status: 503n } })
    expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(failuresIn(service)).toEqual([expect.stringContaining('the store is away')])
  })

  it('causes a 503 for every key that needs a look-up; a typing error needs none', async () => {
    const service = await startHttp({ replace: () => ({ apiKeys: failingApiKeys }) })
    for (const path of ['/v1/pets', '/v1/store/orders', '/v1/pets/1']) {
      expect((await service.call('GET', path)).status).toBe(503)
    }
    const headers = { Authorization: 'Bearer ast_live_x' }
    expect((await service.anonymous('GET', '/v1/pets', { headers })).status).toBe(401)
    expect((await service.anonymous('GET', '/v1/pets')).status).toBe(401)
  })

  it('causes a 503 if no id can be drawn', async () => {
    const service = await startHttp({ replace: ({ ids: { storage } }) => ({ ids: { ...failingIds, storage } }) })
    expect((await send(service, 'POST', '/v1/pets')).status).toBe(503)
    expect((await send(service, 'GET', '/v1/pets')).text).toBe('[]')
  })

  it('is reported by /health/ready, not by /health/live [open-paths]', async () => {
    const { anonymous } = await startHttp({ replace })
    const response = await anonymous('GET', '/health/ready')
    expect(response).toMatchObject({ status: 503, json: { code: 'unavailable' } })
    expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect((await anonymous('GET', '/health/live')).text).toBe('{"status":"ok"}')
  })
})

it('/health/ready is 200 while the store answers, and 503 as soon as a stop begins, which is no error [probes]', async () => {
  const stopping = new AbortController()
  const { anonymous, logTexts } = await startHttp({ settings: { stopping: stopping.signal } })
  expect(await anonymous('GET', '/health/ready')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
  stopping.abort()
  const response = await anonymous('GET', '/health/ready')
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^[123]$/)])
  expect((await anonymous('GET', '/health/live')).status).toBe(200)
  expect(logTexts.filter((line) => line.includes('"level":"error"'))).toStrictEqual([])
})

it.each<AnyFailure>([
  { _tag: 'InvalidApiKey', reason: 'malformed', keyId: O.none },
  { _tag: 'MissingApiKey' },
  { _tag: 'RouteNotFound', hasPages: true },
])('the help of $_tag is below the prefix of its own request, whatever prefix came before', (failure) => {
  const errorReply = makeErrorReply(undefined, true)
  for (const prefix of ['', '/shop', '/zoo', '', '/shop'])
    expect(fieldOf(errorReply(failure, 'r1', prefix).headers, 'Link')).toMatch(new RegExp(`^<${prefix}/docs/errors#`))
})
