// Raw HTTP: writes bytes that no client would send, and reads what the server sends.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { HttpServer } from '../../../src/adapters/http/server/make-server.js'
import { checkResponse } from '../documents/openapi-check.js'
import { BODY, postHead } from './raw-requests.js'

export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const readResponse = (text: string): readonly [RawResponse, rest: string] => {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\w ]+$/.exec(statusLine)?.[1])
  if (end === -1 || Number.isNaN(status)) throw new Error(`no answer: ${JSON.stringify(text)}`)
  const headers = new Headers(lines.map((line) => /^([^:]*):(.*)$/.exec(line)?.slice(1) as [string, string]))
  const length = Number(headers.get('Content-Length') ?? 0)
  const body = text.slice(end + 4, end + 4 + length)
  if (body.length < length) throw new Error(`a body of ${length} is cut: ${JSON.stringify(text)}`)
  return [{ status, headers, body }, text.slice(end + 4 + length)]
}

/** The text must contain nothing else; bodies must be ASCII. */
export const responsesIn = (text: string): readonly RawResponse[] => {
  const responses: RawResponse[] = []
  for (let rest = text; rest !== ''; ) {
    const [response, after] = readResponse(rest)
    responses.push(response)
    rest = after
  }
  return responses
}

/** Socket errors surface in reads only, so an unread reset is not a failure. The caller must close the socket. */
export const launchSocket = async (port: number): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** The same, closed when the test ends. */
export const openSocket = async (port: number): Promise<Socket> => {
  const socket = await launchSocket(port)
  onTestFinished(() => void socket.destroy())
  return socket
}

export const readAll = async (socket: Socket): Promise<string> => {
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  await once(socket, 'end')
  socket.destroy()
  return text
}

/** Everything received so far, as soon as it matches. */
export const readUntil = (socket: Socket, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk: unknown): void => {
      text += String(chunk)
      if (!pattern.test(text)) return
      socket.off('data', read)
      resolve(text)
    }
    socket.on('data', read)
    socket.once('close', () => reject(new Error(`closed after ${JSON.stringify(text)}`)))
  })

/** Sends one byte per character and leaves its side open: the server has to close the connection. */
export const sendRaw = async (port: number, text: string): Promise<readonly RawResponse[]> => {
  const socket = await openSocket(port)
  socket.write(text, 'latin1')
  return responsesIn(await readAll(socket))
}

/** A create in flight: the service has sent 100 Continue for a body of this length. */
export const halfCreate = async (port: number, key: string, length = BODY.length): Promise<Socket> => {
  const socket = await openSocket(port)
  const asked = readUntil(socket, /^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  socket.write(postHead(key, length, 'Expect: 100-continue\r\n'))
  await asked
  return socket
}

export const expectRefused = (response: RawResponse | undefined, status: number, code: string): void => {
  expect(response).toMatchObject({ status })
  if (response === undefined) return
  const { headers, body } = response
  // this path has no operation, so only the common rules are checked
  checkResponse({ method: 'GET', path: '/', status, headers, body })
  expect(JSON.parse(body)).toEqual({ code, message: expect.stringMatching(/./), status })
  expect(Object.fromEntries(headers)).toMatchObject({
    connection: 'close',
    'content-length': String(body.length),
    'content-type': 'application/json',
    'cache-control': 'no-store',
    date: expect.any(String),
  })
}

export const expectSoleRefusal = async (port: number, text: string, status = 400, code = 'bad_request') => {
  const [response, ...more] = await sendRaw(port, text)
  expect(more).toEqual([])
  expectRefused(response, status, code)
  return response
}

/** Both sides of a connection. `sent` resolves once the server has read the text. */
export const accepted = async ({ server }: HttpServer, port: number) => {
  const connected = once(server, 'connection') as Promise<[Socket]>
  const socket = await openSocket(port)
  const [serverSide] = await connected
  // not `once`, which rejects after a reset
  const closed = new Promise<void>((resolve) => serverSide.on('close', () => resolve()))
  const sent = async (text: string): Promise<void> => {
    const bytes = serverSide.bytesRead + text.length
    socket.write(text)
    await expect.poll(() => serverSide.bytesRead).toBe(bytes)
  }
  return { socket, serverSide, closed, sent }
}
