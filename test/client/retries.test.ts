import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { range } from '../../src/testing/samples.js'
import { useFakeTimers } from '../support/runner/fake-timers.js'
import { created, errorReply, KEY, PET, type Scripted, scripted, unavailable } from './scripted-service.js'

const REX = { name: 'Rex', categoryId: 2n ** 63n - 1n } as const
const pet = { id: 1n, ...REX }

describe('a create', () => {
  it('sends the same key and body with every attempt, and returns the key', async () => {
    const { client, seen, time } = scripted(['lost', unavailable(), 'silent', created()])
    const result = await time.whole(client.createPet({ ...REX, status: undefined }))
    expect(result).toStrictEqual({ ok: true, value: { pet, replayed: false }, idempotencyKey: expect.any(String) })
    const sent = { key: result.idempotencyKey, body: '{"name":"Rex","categoryId":9223372036854775807}' }
    expect(seen.map(({ headers, body }) => ({ key: headers.get('Idempotency-Key'), body }))).toStrictEqual(
      range(1, 4).map(() => sent),
    )
    expect(Object.fromEntries(seen[0]?.headers ?? [])).toStrictEqual({
      accept: 'application/json',
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'idempotency-key': result.idempotencyKey,
    })
  })

  it('has a new key for each call, or the key of its caller', async () => {
    const { client, seen } = scripted([created()])
    await client.createPet(REX)
    await client.createPet(REX)
    await client.createPet(REX, { idempotencyKey: 'order-7' })
    const keys = seen.map(({ headers }) => headers.get('Idempotency-Key'))
    expect(new Set(keys).size).toBe(3)
    expect(keys[0]).toMatch(/^[\da-f]{32}$/)
    expect(keys[2]).toBe('order-7')
  })

  const failure = fc.constantFrom<() => Scripted>(
    () => 'lost',
    () => 'silent',
    () => unavailable('2'),
    () => errorReply(429, 'rate_limited', { 'Retry-After': '7' }),
    () => errorReply(408, 'request_timeout'),
    () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
  )

  it('is never retried without a key', async () => {
    await fc.assert(
      fc.asyncProperty(failure, async (make) => {
        const { client, seen, time } = scripted([make(), created()])
        const result = await time.whole(client.createPet(REX, { idempotencyKey: false }))
        expect([result.ok, result.idempotencyKey]).toStrictEqual([false, undefined])
        expect(seen.map(({ headers }) => headers.get('Idempotency-Key'))).toStrictEqual([null])
      }),
      { numRuns: 30 },
    )
  })

  it('always ends within its time and its attempts', async () => {
    const failures = fc.array(failure, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(failures, fc.integer({ min: 1, max: 60_000 }), async (makers, timeoutMs) => {
        const script = [...makers.map((make) => make()), created()]
        const { client, seen, time } = scripted(script, { timeoutMs, maxAttempts: 6 })
        const result = await time.whole(client.createPet(REX))
        expect(time.now()).toBeLessThanOrEqual(timeoutMs)
        expect(seen.length).toBeLessThanOrEqual(6)
        expect(result.ok).toBe(seen.length === makers.length + 1)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a retry', () => {
  const waits = (seen: readonly { readonly at: number }[]): readonly number[] =>
    seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0))

  it.each([
    [0, [0, 0, 0, 0, 0]],
    [1 - 2 ** -53, [100, 200, 400, 400, 400]],
  ])('waits for a random time, up to a bound that doubles: random %d', async (random, expected) => {
    const backOff = { initialMs: 100, maxMs: 400 }
    const { client, seen, time } = scripted(['lost'], { backOff, maxAttempts: 6, platform: { random: () => random } })
    await time.whole(client.listPets())
    expect(waits(seen).map(Math.round)).toStrictEqual(expected)
  })

  it.each<readonly [retryAfter: string, timeoutMs: number, attemptsAt: readonly number[]]>([
    ['7', 60_000, [0, 7_050]],
    ['5', 5_051, [0, 5_050]],
    ['5', 5_050, [0]],
    ['9'.repeat(400), 60_000, [0]],
    ...['-1', '1.5', 'soon'].map((text) => [text, 60_000, [0, 50]] as const),
  ])('waits at least for Retry-After %j, and not at all for the end of the call after %d ms', async (text, ...row) => {
    const [timeoutMs, attemptsAt] = row
    const { client, seen, time } = scripted([unavailable(text), new Response('[]')], { timeoutMs })
    const refused = {
      ok: false,
      error: { _tag: 'unavailable', retryAfterMs: Math.min(Number(text) * 1_000, 3_600_000) },
    }
    expect(await time.whole(client.listPets())).toMatchObject(attemptsAt.length > 1 ? { ok: true } : refused)
    expect(seen.map(({ at }) => at)).toStrictEqual(attemptsAt)
    expect(time.now()).toBe(attemptsAt.at(-1))
  })

  it.each([
    ['from the time of the reply, whatever the clocks here say', true, 0],
    [
      'by the clock of day without such a time: not by one that stops while the machine sleeps',
      false,
      Date.UTC(2037, 0, 1),
    ],
  ])('waits until the date in Retry-After %s', async (_, hasDate, clockOfDay) => {
    useFakeTimers({ toFake: ['Date'], now: clockOfDay })
    const date = hasDate ? { Date: 'Thu, 01 Jan 2037 00:00:00 GMT' } : undefined
    const until = { 'Retry-After': 'Thu, 01 Jan 2037 00:00:09 GMT', ...date }
    const { client, seen, time } = scripted([errorReply(503, 'unavailable', until), new Response('[]')])
    expect(await time.whole(client.listPets())).toMatchObject({ ok: true })
    expect(seen.map(({ at }) => at)).toStrictEqual([0, 9_050])
  })

  it.each([
    [400, 'validation_failed', 1],
    [500, 'internal_error', 2],
    [418, 'newer_code', 1],
    [504, 'newer_code', 4],
  ])('follows %d %s: %d attempts of 4', async (status, code, attempts) => {
    const { client, seen, time } = scripted([errorReply(status, code)], { maxAttempts: 4 })
    const result = await time.whole(client.createPet(REX))
    const tag = code === 'newer_code' ? 'unknown_code' : code
    expect(result).toMatchObject({ ok: false, error: { _tag: tag, status, message: 'no' } })
    expect(seen).toHaveLength(attempts)
  })

  it('follows one 500 after any number of outages, and no second one', async () => {
    const [outage, defect] = [errorReply(503, 'unavailable'), errorReply(500, 'internal_error')]
    const { client, seen, time } = scripted([outage, outage, defect, outage, defect, created()], { maxAttempts: 9 })
    expect(await time.whole(client.createPet(REX))).toMatchObject({ error: { _tag: 'internal_error' } })
    expect(seen).toHaveLength(5)
  })
})

describe('a time limit', () => {
  it('ends each attempt and the whole call', async () => {
    const { client, seen, time } = scripted(['silent'], { attemptTimeoutMs: 1_000, timeoutMs: 2_500 })
    const result = await time.whole(client.listPets())
    expect(result).toStrictEqual({
      ok: false,
      error: { _tag: 'timeout', message: 'no reply within 350 ms', timeoutMs: 350 },
    })
    expect([seen.length, time.now()]).toStrictEqual([3, 2_500])
  })

  it('can be set for a call, and includes the body of a reply', async () => {
    const endless = new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
    const { client, time } = scripted([endless])
    const result = await time.whole(client.listPets({}, { timeoutMs: 700 }))
    expect(result).toMatchObject({ ok: false, error: { _tag: 'timeout' } })
    expect(time.now()).toBe(700)
  })
})

describe('an abort', () => {
  it.each<[string, Scripted, number]>([
    ['before', new Response(PET), 0],
    ['during an attempt', 'silent', 5],
    ['between two attempts', unavailable('3'), 5],
  ])('ends the call at once: %s', async (_, reply, afterMs) => {
    const { client, time } = scripted([reply])
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    if (afterMs === 0) controller.abort(reason)
    else time.schedule(afterMs, () => controller.abort(reason))
    const result = await time.whole(client.createPet(REX, { signal: controller.signal }))
    expect(result).toMatchObject({ ok: false, error: { _tag: 'aborted', cause: reason } })
    expect(time.now()).toBe(afterMs)
  })

  it('ends all calls that share its signal, which has one listener while there are any', async () => {
    const { client, time } = scripted([new Response('[]'), 'silent'])
    const controller = new AbortController()
    const { signal } = controller
    const changes = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
    await time.whole(client.listPets({}, { signal }))
    const both = Promise.all([client.listPets({}, { signal }), client.listPets({}, { signal })])
    controller.abort('stop')
    const aborted = { ok: false, error: { _tag: 'aborted', cause: 'stop' } }
    expect(await time.whole(both)).toMatchObject([aborted, aborted])
    for (const change of changes) expect(change).toHaveBeenCalledTimes(2)
  })
})
