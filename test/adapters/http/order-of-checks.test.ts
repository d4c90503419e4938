// Route, method, key, scope, rate, headers, body, domain: of any two faults, the service reports the earlier one.
import { describe, expect, it } from 'vitest'
import { client } from '../../support/http/client.js'
import { startHttp } from '../../support/http/http-service.js'

/** In the order of the checks, with the codes that report them. */
const FAULTS = [
  ['route', 'route_not_found'],
  ['method', 'method_not_allowed'],
  ['no key', 'missing_api_key'],
  ['scope', 'insufficient_scope'],
  ['rate', 'rate_limited'],
  ['idempotency key', 'invalid_parameter'],
  ['media type', 'unsupported_media_type'],
  ['encoding', 'unsupported_media_type'],
  ['size', 'payload_too_large'],
  ['text', 'malformed_json'],
  ['pet', 'validation_failed'],
] as const

type Fault = (typeof FAULTS)[number][0]

const PAIRS = FAULTS.flatMap(([first, code], at) => FAULTS.slice(at).map(([second]) => [first, second, code] as const))
  // a request without a key has neither scopes nor a rate
  .filter(([first, second]) => first !== 'no key' || !['scope', 'rate'].includes(second))

/** A create with exactly these faults. */
const codeOf = async (...faults: readonly Fault[]): Promise<unknown> => {
  const has = (fault: Fault): boolean => faults.includes(fault)
  const rateLimit = { perSecond: 1, burst: 1 }
  const settings = { maxBodyBytes: 100, ...(has('rate') && { rateLimit }) }
  const { url, issue, anonymous } = await startHttp({ settings })
  const { text } = await issue(has('scope') ? ['pets:read'] : ['pets:read', 'pets:write'])
  const call = has('no key') ? anonymous : client(url, text)
  // until the quota is used up, however slow this machine is
  while (has('rate') && !has('no key') && (await call('GET', '/v1/pets')).status !== 429);
  const body = has('text') ? '{"name":1,}' : has('pet') ? '{"name":1}' : '{"name":"Rex","categoryId":1}'
  const { json } = await call(has('method') ? 'DELETE' : 'POST', has('route') ? '/v1/nope' : '/v1/pets', {
    body: has('size') ? body.padEnd(101) : body,
    headers: {
      ...(has('idempotency key') && { 'Idempotency-Key': '' }),
      ...(has('media type') && { 'Content-Type': 'text/plain' }),
      ...(has('encoding') && { 'Content-Encoding': 'gzip' }),
    },
  })
  return json
}

describe('a request with two faults', () => {
  it.each(PAIRS)('is refused for the earlier one: %s, then %s [rule-4 checks]', async (first, second, code) => {
    expect(await codeOf(first, second)).toMatchObject({ code })
  })
})
