// One key or address that exceeds its limit: it gets 429 and Retry-After, and no other client does.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { KEY_ID_BYTES, keyIdFrom, keyTextFrom, SECRET_BYTES } from '../../src/domain/api-keys/api-key-text.js'
import type { RawAnswer } from '../support/http/raw.js'
import { authorization, get, post } from '../support/http/raw-requests.js'
import { type Attack, answersTo, describeAttacks } from './attack.js'

const PER_SECOND = 50
const BURST = 60
const REQUESTS = 400
/** Waits until earlier counts have expired. */
const WINDOW_MS = Math.ceil((1_000 * BURST) / PER_SECOND) + 100

const many = (requestOf: () => string): readonly string[] => Array.from({ length: REQUESTS }, requestOf)

const expectRateLimited = ({ headers, body }: RawAnswer): void => {
  expect(JSON.parse(body)).toMatchObject({ code: 'rate_limited', status: 429 })
  expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
  // draft-ietf-httpapi-ratelimit-headers-10
  expect(headers.get('RateLimit')).toMatch(/^"[\w-]+";r=0;t=\d+$/)
  expect(headers.get('RateLimit-Policy')).toMatch(/^"[\w-]+";q=\d+;w=\d+$/)
}

/** Most requests are refused, but no concurrent requests of others. */
const expectFewServed = (answers: readonly RawAnswer[], servedStatus: number): void => {
  const refused = answers.filter(({ status }) => status === 429)
  const served = answers.filter(({ status }) => status === servedStatus)
  expect(refused.length + served.length).toBe(REQUESTS)
  expect(served.length).toBeGreaterThan(0)
  // the burst, and the quota of the seconds that a slow machine takes
  expect(served.length).toBeLessThan(REQUESTS / 2)
  for (const answer of refused.slice(0, 10)) expectRateLimited(answer)
}

const exceed = (name: string, servedStatus: number, requestOf: (key: string) => string): Attack => ({
  attack: name,
  holds: 'the surplus gets 429, and another key at the same address is served',
  run: async (target) => {
    await pause(WINDOW_MS)
    const answers = answersTo(
      target,
      many(() => requestOf(target.key)),
    )
    for (let sent = 0; sent < 10; sent += 1) expect((await target.call('GET', '/v1/pets')).status).toBe(200)
    expectFewServed(await answers, servedStatus)
  },
})

const unknownKey = (): string => keyTextFrom(keyIdFrom(randomBytes(KEY_ID_BYTES)), randomBytes(SECRET_BYTES))

const settings = { STORE: 'embedded', RATE_LIMIT_PER_SECOND: String(PER_SECOND), RATE_LIMIT_BURST: String(BURST) }

describeAttacks('rate limits', settings, [
  exceed(`${REQUESTS} lists with one key`, 200, (key) => get('/v1/pets', authorization(key))),
  exceed(`${REQUESTS} creates with one key`, 201, (key) => post(key)),
  exceed(`${REQUESTS} unknown keys`, 401, () => get('/v1/pets', authorization(unknownKey()))),
  exceed(`${REQUESTS} malformed keys`, 401, () => get('/v1/pets', authorization('x'))),
  {
    attack: 'a key that exceeded its limit',
    holds: 'it is served again after Retry-After',
    run: async (target) => {
      const list = get('/v1/pets', authorization(target.key))
      const answers = await answersTo(
        target,
        many(() => list),
      )
      const seconds = Number(answers.at(-1)?.headers.get('Retry-After'))
      expect(seconds).toBeLessThanOrEqual(WINDOW_MS / 1_000 + 1)
      await pause(1_000 * seconds)
      expect((await answersTo(target, [list]))[0]?.status).toBe(200)
    },
  },
])
