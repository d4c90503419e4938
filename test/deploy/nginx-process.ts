// Runs deploy/nginx/animal-store.conf on a free port, with a certificate of the test's, before given instances.
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { makeCertificate } from '../support/network/certificate.js'
import { freePort } from '../support/network/free-port.js'
import { startProcess } from '../support/processes/cli-process.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

export interface Nginx {
  readonly port: number
  /** The authority that the test's client trusts. */
  readonly certificate: string
}

/** The file with its address, certificate and instances replaced; each must be there. */
const adapted = (file: string, changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/nginx/animal-store.conf does not contain ${from}`)
    return changed.replace(from, to)
  }, file)

/** Starts the program at `path`; its port is bound from then on, until the test ends. `ports` are those of the instances. */
export const startNginx = async (path: string, ports: readonly number[]): Promise<Nginx> => {
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
    ['server 127.0.0.1:8080;', ports.map((one) => `server 127.0.0.1:${one};`).join(' ')],
  ])
  await writeFile(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  // one process, which needs no other user
  const main = `
    daemon off; master_process off; pid ${folder}/pid; error_log stderr notice;
    events {}
    http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`
  const file = join(folder, 'nginx.conf')
  await writeFile(file, main)
  const nginx = startProcess(path, ['-p', folder, '-e', 'stderr', '-c', file], process.env)
  // it says so once the port is bound
  await nginx.find(/OS: /)
  return { port, certificate: await readFile(certificate, 'utf8') }
}

export interface HttpsResponse {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface HttpsRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The certificate is for this address, whatever the Host header says. One connection per request. */
const TO = { host: '127.0.0.1', checkServerIdentity: () => undefined, agent: false } as const

export const begin = (
  { port, certificate }: Nginx,
  { method = 'GET', path = '/v1/pets', headers = {} }: HttpsRequest,
): ClientRequest => request({ ...TO, port, ca: certificate, method, path, headers })

export const responseTo = async (sent: ClientRequest): Promise<HttpsResponse> => {
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: reply.statusCode, headers: reply.headers, body: await text(reply) }
}

export const callThrough = (nginx: Nginx, options: HttpsRequest): Promise<HttpsResponse> =>
  responseTo(begin(nginx, options).end(options.body))

export const PET = '{"name":"Rex","categoryId":9223372036854775807}'
