import { describe, expect, it } from 'vitest'
import { makeClient } from '../../src/client/make-client.js'
import { created, PET, scripted } from './scripted-service.js'

const ORIGIN = 'https://pets.test'
const make = (baseUrl: string | URL) => () => makeClient({ baseUrl, apiKey: 'ast_live_0123456789' })

describe('the base address of a client', () => {
  it.each([
    'localhost:8080/v1',
    '//pets.test/v1',
    '/v1',
    '',
    'ws://pets.test/v1',
    'blob:https://pets.test/v1',
    'https:pets.test/v1',
    'https:\\\\pets.test\\v1',
    'https://pets.test:port/v1',
    'https://pets.test/v1?a=marker',
    'https://pets.test/v1#marker',
    'https://user:marker@pets.test/v1',
    'https://user:marker@[/v1',
    new URL('https://user:marker@pets.test/v1'),
  ])('is refused: %s', (baseUrl) => {
    expect(make(baseUrl)).toThrow(TypeError)
    expect(make(baseUrl)).toThrow(/^baseUrl: wanted an absolute http or https address without (?!.*marker)/)
  })

  it.each([
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1/pets'],
    ['HTTPS://Pets.test/v1/', 'https://pets.test/v1/pets'],
    ['https://pets.test', 'https://pets.test/pets'],
    ['http://[::1]:8080/@shop//v1', 'http://[::1]:8080/@shop//v1/pets'],
    [new URL('https://pets.test/v1'), 'https://pets.test/v1/pets'],
  ])('is kept: %s', async (baseUrl, url) => {
    const { client, seen } = scripted([created()], { baseUrl })
    await client.createPet({ name: 'Rex', categoryId: 1n })
    expect(seen).toMatchObject([{ url }])
  })

  it('is where every request goes, whatever a response or a caller names', async () => {
    const elsewhere = 'https://elsewhere.test/v1/pets?after=1'
    const headers = { Link: `<${elsewhere}>; rel="next"`, Location: elsewhere }
    const { client, seen } = scripted(
      [
        new Response(PET, { status: 201, headers }),
        new Response(`[${PET}]`, { headers }),
        new Response('[]'),
        new Response('[]', { headers }),
        new Response(null, { status: 307, headers }),
        new Response(null, { status: 307, headers }),
      ],
      { baseUrl: `${ORIGIN}/v1`, maxAttempts: 1 },
    )
    await client.createPet({ name: 'Rex', categoryId: 1n })
    for await (const page of client.pages()) expect(page.ok).toBe(true)
    for (const next of ['@elsewhere.test', '//elsewhere.test', elsewhere]) await client.listPets({ next })
    for await (const event of client.events({ after: elsewhere })) expect(event.ok).toBe(false)
    expect(new Set(seen.map(({ url }) => new URL(url).origin))).toStrictEqual(new Set([ORIGIN]))
    expect(seen.length).toBeGreaterThanOrEqual(7)
  })
})
