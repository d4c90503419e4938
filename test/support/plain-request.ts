// A request as endpoints see it: a plain value, without a server, Koa or a socket.
import * as E from 'fp-ts/lib/Either.js'
import type { HttpRequest } from '../../src/adapters/http/messages/request.js'

export interface PlainRequest extends Partial<Omit<HttpRequest, 'header' | 'body'>> {
  /** Names in lower case; a list where the header has several lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
}

export const plainRequest = ({ headers = {}, body = '', ...rest }: PlainRequest = {}): HttpRequest => ({
  method: 'GET',
  path: '/v1/pets',
  route: '/v1/pets',
  params: {},
  query: '',
  baseUrl: 'http://pets.test/v1',
  id: 'r1',
  ...rest,
  header: (name) => [headers[name] ?? []].flat(),
  body: async () => E.right(Buffer.from(body)),
})
