// The service behind deploy/nginx/animal-store.conf, as a client sees it.

import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { silentLog } from '../../src/composition/service-log.js'
import type { RequestReport } from '../../src/ports/observer.js'
import { describeWith } from '../support/containers/describe-with.js'
import { runService } from '../support/http/running-service.js'
import { makeCertificate } from '../support/network/certificate.js'
import { freePort } from '../support/network/free-port.js'
import { startProcess } from '../support/processes/cli-process.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

interface Nginx {
  readonly port: number
  readonly certificate: string
}

/** Fails if the file lacks a text to replace. */
const adapted = (file: string, changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/nginx/animal-store.conf does not contain ${from}`)
    return changed.replace(from, to)
  }, file)

/** Resolves once the port is bound; nginx ends with the test. */
const startNginx = async (path: string, servicePort: string): Promise<Nginx> => {
  const folder = await temporaryFolder()
  const { certificate, key } = await makeCertificate(folder)
  const port = await freePort()
  const site = adapted(await readFile('deploy/nginx/animal-store.conf', 'utf8'), [
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['/etc/nginx/tls/pets.example.crt', certificate],
    ['/etc/nginx/tls/pets.example.key', key],
    // a busy machine must not look like a slow client
    ['client_header_timeout 5s', 'client_header_timeout 60s'],
    ['client_body_timeout 10s', 'client_body_timeout 60s'],
    ['server 127.0.0.1:8080;', `server 127.0.0.1:${servicePort};`],
  ])
  await writeFile(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  // a single process needs no other user
  const main = `
    daemon off; master_process off; pid ${folder}/pid; error_log stderr notice;
    events {}
    http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`
  const file = join(folder, 'nginx.conf')
  await writeFile(file, main)
  const nginx = startProcess(path, ['-p', folder, '-e', 'stderr', '-c', file], process.env)
  // nginx prints this once the port is bound
  await nginx.find(/OS: /)
  return { port, certificate: await readFile(certificate, 'utf8') }
}

interface HttpsRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The certificate is for this address, whatever the Host header says. One connection per request. */
const TO = { host: '127.0.0.1', checkServerIdentity: () => undefined, agent: false } as const

const callThrough = async (
  { port, certificate }: Nginx,
  { method = 'GET', path = '/v1/pets', headers = {}, body }: HttpsRequest,
) => {
  const sent = request({ ...TO, port, ca: certificate, method, path, headers }).end(body)
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: reply.statusCode, headers: reply.headers, body: await text(reply) }
}

const PET = '{"name":"Rex","categoryId":9223372036854775807}'

const LARGEST_BODY = 65_536
const bodyOf = (bytes: number): string => `{"name":"${'x'.repeat(bytes - 11)}"}`

describeWith('nginx', 'the service behind nginx', (program) => {
  let nginx: Nginx
  let service: Awaited<ReturnType<typeof runService>>
  let responded: RequestReport[]

  beforeEach(async () => {
    responded = []
    const settings = { publicUrl: 'https://pets.example/v1', trustedProxies: 1, drainMs: 100 }
    const log = { ...silentLog, request: (reply: RequestReport) => void responded.push(reply) }
    service = await runService(settings, { store: makeMemoryStore(), log })
    nginx = await startNginx(program, new URL(service.url).port)
  })

  const call = ({ headers = {}, ...rest }: HttpsRequest = {}) =>
    callThrough(nginx, { ...rest, headers: { ...service.authorization, ...headers } })

  it('answers as without nginx, under its public address', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const created = await call({ method: 'POST', body: PET, headers })
    expect(created).toMatchObject({ status: 201, body: '{"id":1,"name":"Rex","categoryId":9223372036854775807}' })
    expect(created.headers).toMatchObject({
      location: 'https://pets.example/v1/pets/1',
      'strict-transport-security': 'max-age=63072000',
    })
  })

  it('passes the errors of the service on, and paths byte for byte', async () => {
    expect(await call({ path: '/v1//pets' })).toMatchObject({ status: 404, body: /route_not_found/ })
    expect(await call({ path: '/v1/pets/%31' })).toMatchObject({ status: 404, body: /pet_not_found/ })
  })

  it('sees the address of the client, whatever the client claims', async () => {
    await call({ headers: { 'X-Forwarded-For': '203.0.113.9' } })
    expect(responded.map(({ clientAddress }) => clientAddress)).toEqual(['127.0.0.1'])
  })

  describe('refuses by itself, in the shape of an error,', () => {
    const failures: readonly (readonly [string, number, string, HttpsRequest])[] = [
      ['a body that is too large', 413, 'payload_too_large', { method: 'POST', body: bodyOf(LARGEST_BODY + 1) }],
      ['headers that are too large', 431, 'headers_too_large', { headers: { 'X-Long': 'x'.repeat(20_000) } }],
      ['a method of its own', 405, 'method_not_allowed', { method: 'TRACE' }],
      ['a Host that is not one', 400, 'bad_request', { headers: { Host: 'a b' } }],
      ['its own page', 404, 'route_not_found', { path: '/.animal-store-refusal' }],
    ]

    it.each(failures)('%s: %i %s', async (_, status, code, options) => {
      const { headers, body, ...rest } = await call(options)
      expect(rest).toEqual({ status })
      expect(JSON.parse(body)).toEqual({ code, message: expect.any(String), status })
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      })
      expect(responded).toEqual([])
    })

    it('a body that is too large over HTTP/2', async () => {
      const session = connect(`https://127.0.0.1:${nginx.port}`, { ...TO, ca: nginx.certificate })
      const reply = session.request({ ':method': 'POST', 'content-length': LARGEST_BODY + 1 })
      expect(JSON.parse(await text(reply))).toMatchObject({ code: 'payload_too_large', status: 413 })
      session.close()
    })

    it('everything while no instance runs: 503 with Retry-After', async () => {
      await service.stop()
      const { status, headers, body } = await call()
      expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '2' })
      expect(JSON.parse(body)).toMatchObject({ code: 'unavailable', status: 503 })
    })
  })
})
