import { describe, expect, it } from 'vitest'
import { shareHttp } from '../../support/http-service.js'
import { answersIn, openSocket, readAll } from '../../support/raw.js'

const PUBLIC = 'https://pets.example/store/v1'
const direct = shareHttp()
const behindProxy = shareHttp({ settings: { publicUrl: PUBLIC } })

const create = (shared: typeof direct) => shared().call('POST', '/v1/pets', { body: '{"name":"a","categoryId":1}' })

describe('addresses', () => {
  it('begin with PUBLIC_URL where it is set', async () => {
    expect((await create(behindProxy)).headers.get('Location')).toBe(`${PUBLIC}/pets/1`)
    await create(behindProxy)
    const { headers } = await behindProxy().call('GET', '/v1/pets?limit=1', {
      headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'ftp', Forwarded: 'host=evil.example' },
    })
    expect(headers.get('Link')).toMatch(
      /^<https:\/\/pets\.example\/store\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/,
    )
    const { headers: deprecated } = await behindProxy().call('GET', '/v1/pets/1')
    expect(deprecated.get('Link')).toBe(
      `<https://pets.example/store/docs>; rel="deprecation", <${PUBLIC}/pets>; rel="successor-version"`,
    )
  })

  it('begin with the host that the client asked otherwise', async () => {
    expect((await create(direct)).headers.get('Location')).toBe(`${direct().url}/v1/pets/1`)
    await create(direct)
    const socket = await openSocket(direct().port)
    const lines = `Authorization: Bearer ${direct().key}\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n`
    socket.write(`GET /v1/pets?limit=1 HTTP/1.1\r\nHost: a.example:81\r\n${lines}\r\n`)
    const [answer] = answersIn(await readAll(socket))
    expect(answer?.headers.get('Link')).toMatch(/^<http:\/\/a\.example:81\/v1\/pets\?limit=1&cursor=/)
  })
})
