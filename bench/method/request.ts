// One request: as bytes for the load, and with its whole answer for the checks before the load.
import { once } from 'node:events'
import { type Agent, type IncomingMessage, request as send } from 'node:http'
import { text } from 'node:stream/consumers'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** With the query. */
  readonly path: string
  readonly key: string
  readonly body?: string
}

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Names and values alternate, as they were sent. */
  readonly rawHeaders: readonly string[]
  readonly body: string
}

const ANSWER_MS = 10_000

const fieldsOf = ({ key, body }: HttpRequest): Record<string, string> => ({
  Host: 'localhost',
  Authorization: `Bearer ${key}`,
  ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
})

export const requestBytes = (request: HttpRequest): Buffer => {
  const { method, path, body = '' } = request
  const lines = Object.entries(fieldsOf(request)).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/** Opens a separate connection if there is no agent. */
export const ask = async (port: number, request: HttpRequest, agent: Agent | false = false): Promise<HttpAnswer> => {
  const { method, path, body } = request
  const signal = AbortSignal.timeout(ANSWER_MS)
  const sent = send({ host: '127.0.0.1', port, method, path, headers: fieldsOf(request), agent, signal })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const { statusCode = 0, rawHeaders, headers } = response
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    rawHeaders,
    body: await text(response),
  }
}
