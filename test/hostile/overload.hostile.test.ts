// More load than the service can serve: it refuses the excess at once, and serves the rest.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { openSocket, readUntil, responsesIn } from '../support/http/raw.js'
import { authorization, get, postHead } from '../support/http/raw-requests.js'
import { type Attack, describeAttacks } from './attack.js'
import { closedLoop } from './closed-loop.js'
import { createInLoops, createSlowly } from './held-create.js'
import type { Target } from './target.js'

const MAX_IN_FLIGHT = 20
const ABANDONED = 200
const HOLD_MS = 100
const ROUND_MS = 1_500
const MAX_ROUNDS = 8
const OVERLOAD = 5
const MIN_GOODPUT = 0.8

/** Successful responses at five times the load, relative to the load itself, in the best of a few rounds: noise only lowers it. */
const goodput = async (successesOf: (factor: number) => Promise<number>): Promise<number> => {
  let best = 0
  for (let round = 0; round < MAX_ROUNDS && best < MIN_GOODPUT; round += 1) {
    const peak = await successesOf(1)
    best = Math.max(best, (await successesOf(OVERLOAD)) / peak)
  }
  return best
}

const successes = (statuses: readonly number[]): number => statuses.filter((status) => status < 300).length

const failure = async ({ port }: Target, text: string): Promise<unknown> => {
  const socket = await openSocket(port)
  socket.write(text)
  const [response] = responsesIn(await readUntil(socket, /\}$/))
  socket.destroy()
  return (
    response && {
      status: response.status,
      retryAfter: response.headers.get('Retry-After'),
      body: JSON.parse(response.body),
    }
  )
}

const surplus: Attack = {
  attack: `${MAX_IN_FLIGHT} creates whose bodies are late, and more requests`,
  holds:
    'the surplus gets 503 at once and before its body is sent, the probes get 200, and what was in flight is served',
  run: async (target) => {
    const { key, open, call } = target
    const sockets = await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, open))
    const held = Promise.all(sockets.map((socket) => createSlowly(socket, key, 2_000)))
    const list = get('/v1/pets', authorization(key))
    // a list that overtook one of the creates would take its place
    await pause(500)
    await expect.poll(() => failure(target, list)).toMatchObject({ status: 503 })
    const texts = [...Array.from({ length: 30 }, () => list), postHead(key, 1_000), get('/v1/pets')]
    const refused = await Promise.all(texts.map((text) => failure(target, text)))
    for (const response of refused) {
      expect(response).toMatchObject({
        status: 503,
        body: { code: 'unavailable' },
        retryAfter: expect.stringMatching(/^[123]$/),
      })
    }
    expect(new Set(refused.map((response) => (response as { retryAfter: string }).retryAfter)).size).toBeGreaterThan(1)
    expect((await call('GET', '/health/live')).status).toBe(200)
    expect((await call('GET', '/health/ready')).status).toBe(200)
    expect(await held).toEqual(sockets.map(() => 201))
    expect((await call('GET', '/v1/pets')).status).toBe(200)
  },
}

const resets: Attack = {
  attack: `${ABANDONED} creates whose clients go away before the body is sent`,
  holds: 'each releases its place in flight',
  run: async ({ key, open, call }) => {
    for (let left = ABANDONED; left > 0; left -= MAX_IN_FLIGHT / 2) {
      const sockets = await Promise.all(Array.from({ length: MAX_IN_FLIGHT / 2 }, open))
      for (const socket of sockets) socket.write(postHead(key, 1_000))
      await call('GET', '/health/live')
      for (const socket of sockets) socket.resetAndDestroy()
    }
    await expect.poll(async () => (await call('GET', '/v1/pets')).status).toBe(200)
  },
}

const slowBodies: Attack = {
  attack: `${OVERLOAD} times as many slow creates as in-flight slots`,
  holds: `goodput stays above ${100 * MIN_GOODPUT} % of the peak`,
  run: async (target) => {
    const successesOf = async (factor: number): Promise<number> => {
      const creates = await createInLoops(target, factor * MAX_IN_FLIGHT, HOLD_MS, ROUND_MS)
      expect([201, 503]).toEqual(expect.arrayContaining([...new Set(creates)]))
      expect(creates.includes(503)).toBe(factor > 1)
      return creates.filter((status) => status === 201).length
    }
    expect(await goodput(successesOf)).toBeGreaterThan(MIN_GOODPUT)
  },
}

const manyReaders: Attack = {
  attack: `${OVERLOAD} times as many clients as it takes to keep the processor busy`,
  holds: `goodput stays above ${100 * MIN_GOODPUT} % of the peak`,
  run: async ({ key, open }) => {
    const list = get('/v1/pets', authorization(key))
    const successesOf = async (factor: number): Promise<number> => {
      const sockets = await Promise.all(Array.from({ length: factor * 8 }, open))
      const { statuses } = await closedLoop(sockets, ROUND_MS / 2, () => list)
      for (const socket of sockets) socket.destroy()
      return successes([...statuses].flatMap(([status, count]) => Array.from({ length: count }, () => status)))
    }
    expect(await goodput(successesOf)).toBeGreaterThan(MIN_GOODPUT)
  },
}

describeAttacks('overload', { MAX_IN_FLIGHT: String(MAX_IN_FLIGHT) }, [surplus, resets, slowBodies, manyReaders])
