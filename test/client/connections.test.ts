import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { makeClient } from '../../src/client/make-client.js'
import { startListening } from '../support/network/start-listening.js'

const clientOf = async (
  attemptTimeoutMs: number,
  respond: (request: IncomingMessage, response: ServerResponse) => void,
) => {
  const baseUrl = `http://127.0.0.1:${await startListening(createServer(respond))}/v1`
  return makeClient({ baseUrl, apiKey: 'ast_live_key', attemptTimeoutMs, maxAttempts: 1 })
}

it.each([301, 302, 303, 307, 308])(
  'a redirect is not followed, so that nobody else gets the key: %i',
  async (status) => {
    const others: unknown[] = []
    const other = await startListening(
      createServer(({ headers }, response) => {
        others.push(headers)
        response.end('[]')
      }),
    )
    const client = await clientOf(10_000, (_, response) =>
      response.writeHead(status, { Location: `http://127.0.0.1:${other}/v1/pets` }).end(),
    )
    const results = [await client.findPet(1n), await client.createPet({ name: 'Rex', categoryId: 1n })]
    const first = await client.events()[Symbol.asyncIterator]().next()
    for (const result of [...results, first.value]) expect(result).toMatchObject({ error: { status } })
    expect(others).toStrictEqual([])
  },
)

it.each([
  ['no reply', () => {}],
  ['half a body', (response: ServerResponse) => response.writeHead(200, { 'Content-Length': 9 }).write('[')],
])('an attempt that gets %s in time closes its connection', async (_, respond) => {
  const closed: Promise<unknown>[] = []
  const client = await clientOf(200, (request, response) => {
    closed.push(once(request.socket, 'close'))
    respond(response)
  })
  expect(await client.findPet(1n)).toMatchObject({ error: { _tag: 'timeout' } })
  expect(closed).toHaveLength(1)
  await Promise.all(closed)
})
