import { describe, expect, it } from 'vitest'
import { description } from './support/documents/openapi-document.js'
import { shareHttp } from './support/http/http-service.js'

const ROW = /^\| `(GET) ([^`]+)` \| (\d{3}) \| `([^`]+)`(.*) \|$/gm

describe('the examples of the description', () => {
  const service = shareHttp()
  const rows = [...description.matchAll(ROW)].map(([, method = '', path = '', status, shown = '', words = '']) => ({
    method,
    path,
    status: Number(status),
    shown,
    words,
  }))

  it.each(rows)('are what the service answers: $method $path', async ({ method, path, status, shown, words }) => {
    const { call } = service()
    for (const name of ['first', 'second'])
      await call('POST', '/v1/pets', {
        body: JSON.stringify({ name, categoryId: 1 }),
        headers: { 'Idempotency-Key': name },
      })
    const response = await call(method, `/v1${path}`)
    expect(response.status).toBe(status)
    const value: unknown = JSON.parse(response.text)
    const told =
      status >= 400
        ? JSON.stringify(value)
        : JSON.stringify(value, (name, member: unknown) => (name === '' ? idsOf(member) : member))
    expect(told).toContain(shown.replaceAll(' ', ''))
    expect(response.headers.get('Link')?.includes('rel="next"') === true).toBe(words.includes('`Link`'))
  })
})

const idOf = (pet: unknown): unknown => (typeof pet === 'object' && pet !== null && 'id' in pet ? pet.id : pet)
const idsOf = (value: unknown): unknown => (Array.isArray(value) ? value.map(idOf) : idOf(value))
