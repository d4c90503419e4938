// Route, method, load, key, scope, rate, headers, body, domain: of two faults, the service reports the earlier one.
import { request } from 'node:http'
import { json as jsonOf } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { keyTextFrom } from '../../../src/domain/api-keys/api-key-text.js'
import { held, numbered, record, succeed } from '../../../src/testing/samples.js'
import { client } from '../../support/http/client.js'
import { startHttp } from '../../support/http/http-service.js'
import { isInProcess } from '../../support/http/in-process.js'

const BEFORE_HEADERS = [
  ['route', 'route_not_found'],
  ['method', 'method_not_allowed'],
  ['load', 'unavailable'],
  ['no key', 'missing_api_key'],
  ['wrong key', 'invalid_api_key'],
  ['scope', 'insufficient_scope'],
  ['rate', 'rate_limited'],
  ['expectation', 'expectation_failed'],
] as const
const OF_POST = [
  ...BEFORE_HEADERS,
  ['idempotency key', 'invalid_parameter'],
  ['media type', 'unsupported_media_type'],
  ['encoding', 'unsupported_media_type'],
  ['condition', 'precondition_failed'],
  ['size', 'payload_too_large'],
  ['text', 'malformed_json'],
  ['pet', 'validation_failed'],
  ['used key', 'idempotency_key_reused'],
] as const
const OF_GET = [...BEFORE_HEADERS, ['no pet', 'pet_not_found'], ['changed pet', 'precondition_failed']] as const

type Fault = (typeof OF_POST | typeof OF_GET)[number][0]

/** One request cannot have both. */
const APART: readonly (readonly [Fault, Fault])[] = [
  ['no key', 'wrong key'],
  ...(['scope', 'rate'] as const).flatMap((fault) => [['no key', fault] as const, ['wrong key', fault] as const]),
  // exhausting the quota takes requests that need room
  ['load', 'rate'],
  ['idempotency key', 'used key'],
]

/** Pairs each fault with the next few: since checks run in order, these pairs suffice. */
const pairsOf = (faults: typeof OF_POST | typeof OF_GET) =>
  faults
    // the handler has no socket: its server sends the interim response
    .filter(([fault]) => fault !== 'expectation' || !isInProcess())
    .flatMap(([first, code], at, all) => all.slice(at, at + 4).map(([second]) => [first, second, code] as const))
    .filter(([first, second]) => !APART.some(([one, other]) => one === first && other === second))

/** `fetch` cannot send Expect. */
const sendExpecting = (url: string, method: string, headers: Readonly<Record<string, string>>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, Expect: 'tea' }, agent: false }, (response) => {
      jsonOf(response).then(resolve, reject)
    })
    sent.on('error', reject).end()
  })

const replyTo = async (good: 'GET' | 'POST', ...faults: readonly Fault[]): Promise<unknown> => {
  const has = (fault: Fault): boolean => faults.includes(fault)
  const rateLimit = { perSecond: 1, burst: 1 }
  const settings = { maxBodyBytes: 100, ...(has('rate') && { rateLimit }), ...(has('load') && { maxInFlight: 0 }) }
  const { url, issue, world } = await startHttp({ settings })
  const { key, text } = await issue(has('scope') ? ['orders:read'] : ['pets:read', 'pets:write'])
  await succeed(world.pets.add(record(numbered(1), held(key.lineage, 'used', Number.MAX_SAFE_INTEGER))))
  const call = client(url)
  const right = { Authorization: `Bearer ${text}` }
  const spend = () => call('GET', has('scope') ? '/v1/store/orders' : '/v1/pets', { headers: right })
  // until the quota is used up, however slow this machine is
  for (let sent = 0; has('rate') && sent < 100 && (await spend()).status !== 429; sent += 1);
  const wrong = { Authorization: `Bearer ${keyTextFrom(key.id, new Uint8Array(32))}` }
  const path = good === 'POST' ? '/v1/pets' : has('no pet') ? '/v1/pets/2' : '/v1/pets/1'
  const target = has('route') ? '/v1/nope' : path
  const method = has('method') ? 'DELETE' : good
  const headers = {
    ...(!has('no key') && (has('wrong key') ? wrong : right)),
    ...(has('idempotency key') && { 'Idempotency-Key': '' }),
    ...(has('used key') && { 'Idempotency-Key': 'used' }),
    ...(has('media type') && { 'Content-Type': 'text/plain' }),
    ...(has('encoding') && { 'Content-Encoding': 'gzip' }),
    ...(has('condition') && { 'If-None-Match': '*' }),
    ...(has('changed pet') && { 'If-Match': '"another"' }),
  }
  if (has('expectation')) return sendExpecting(url + target, method, headers)
  const body = has('text') ? '{"name":1,}' : has('pet') ? '{"name":1}' : '{"name":"Tom","categoryId":1}'
  const sent = good === 'POST' ? { body: has('size') ? body.padEnd(101) : body } : {}
  return (await call(method, target, { ...sent, headers })).json
}

describe('a request with two faults is refused for the earlier one', () => {
  it.each(pairsOf(OF_POST))('a create: %s, then %s [rule-4 checks]', async (first, second, code) => {
    expect(await replyTo('POST', first, second)).toMatchObject({ code })
  })

  it.each(pairsOf(OF_GET))('a look-up: %s, then %s [checks]', async (first, second, code) => {
    expect(await replyTo('GET', first, second)).toMatchObject({ code })
  })
})
