// Requests over TLS to a proxy whose certificate the test made.
import { once } from 'node:events'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Nginx } from './nginx-process.js'

export interface HttpsAnswer {
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

/** A request whose body is still to be sent. */
export const begin = (
  { port, certificate }: Nginx,
  { method = 'GET', path = '/v1/pets', headers = {} }: HttpsRequest,
): ClientRequest => request({ ...TO, port, ca: certificate, method, path, headers })

export const answerTo = async (sent: ClientRequest): Promise<HttpsAnswer> => {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

export const callThrough = (nginx: Nginx, options: HttpsRequest): Promise<HttpsAnswer> =>
  answerTo(begin(nginx, options).end(options.body))
