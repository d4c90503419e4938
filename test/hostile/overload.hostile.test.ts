// More load than the service can serve: it refuses the excess at once, and serves the rest.
import { expect } from 'vitest'
import { openSocket, readUntil, responsesIn } from '../support/http/raw.js'
import { authorization, get, postHead } from '../support/http/raw-requests.js'
import { type Attack, describeAttacks } from './attack.js'
import { holdCreate } from './held-create.js'
import type { Target } from './target.js'

const MAX_IN_FLIGHT = 20
const ABANDONED = 200

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
    'the excess gets 503 at once and before its body is sent, the probes get 200, and what was in flight is served',
  run: async (target) => {
    const { key, call } = target
    const held = await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, () => holdCreate(target)))
    const list = get('/v1/pets', authorization(key))
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
    expect(await Promise.all(held.map(({ finish }) => finish()))).toEqual(held.map(() => 201))
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

describeAttacks('overload', { MAX_IN_FLIGHT: String(MAX_IN_FLIGHT) }, [surplus, resets])
