// What the client still does after a garbage collection has taken everything that nobody holds.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Client, makeClient } from '../../src/client/make-client.js'
import { webPlatform } from '../../src/client/platform.js'
import { startListening } from '../support/network/start-listening.js'
import { collectGarbage } from '../support/runner/open-files.js'
import { scene } from './event-scene.js'

/** More than once, with turns in between: what one collection frees may hold more. */
const collectAll = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) {
    for (let at = 0; at < 5; at += 1) await turn()
    collectGarbage()
  }
}

it('events end at a time limit whose signal nobody else holds', async () => {
  const { client, open } = await scene(0)
  const pending = client
    .events({ signal: AbortSignal.timeout(1_000) })
    [Symbol.asyncIterator]()
    .next()
  await expect.poll(open).toBe(1)
  await collectAll()
  expect(await pending).toMatchObject({ value: { error: { _tag: 'aborted', cause: { name: 'TimeoutError' } } } })
})

it.each<[string, boolean, (client: Client, signal: AbortSignal) => Promise<unknown>]>([
  ['a call', false, (client) => client.listPets()],
  ['a call whose response has begun', true, (client) => client.listPets()],
  ['a stream', false, (client, signal) => client.events({ after: 'log.0', signal })[Symbol.asyncIterator]().next()],
])('%s that is too late closes its connection', async (_, hasBegun, start) => {
  const server = createServer()
  const port = await startListening(server)
  const limits: (() => void)[] = []
  const schedule = (_: number, run: () => void) => {
    limits.push(run)
    return () => {}
  }
  const platform = { ...webPlatform, schedule }
  const client = makeClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'a', maxAttempts: 1, platform })
  const requested = new Promise<readonly [IncomingMessage, ServerResponse]>((resolve) => {
    server.once('request', (request, response) => resolve([request, response]))
  })
  const leaving = new AbortController()
  const started = start(client, leaving.signal)
  const [request, response] = await requested
  if (hasBegun) response.write('[')
  const { socket } = request
  await collectAll()
  const closed = once(socket, 'close')
  limits[0]?.()
  await closed
  expect(socket.destroyed).toBe(true)
  leaving.abort()
  await started
})
