import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startListening } from '../network/start-listening.js'
import { client } from './client.js'

type Sent = Readonly<Record<string, string>>

const json = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'X-Request-Id': 'r1',
  'Content-Type': 'application/json',
}
const located = { ...json, Location: 'http://a.example/v1/pets/1' }
const pet = '{"id":1,"name":"Rex","categoryId":9223372036854775807}'

describe('client', () => {
  const serving = async (status: number, sent: Sent, body: string): Promise<string> => {
    const server = createServer((_, response) => response.writeHead(status, sent).end(body))
    return `http://127.0.0.1:${await startListening(server)}/v1`
  }

  it('returns a valid response, with exact integers', async () => {
    const call = client(await serving(201, located, pet), 'key')
    const { status, json: value } = await call('POST', '/v1/pets', { body: '{}' })
    expect(status).toBe(201)
    expect(value).toStrictEqual({ id: 1n, name: 'Rex', categoryId: 9223372036854775807n })
  })

  it('throws for an invalid response', async () => {
    const call = client(await serving(201, json, pet))
    await expect(call('POST', '/v1/pets', { body: '{}' })).rejects.toThrow('the header Location is missing')
  })
})
