// A request as a plain value, as endpoints see it.
import * as E from 'fp-ts/lib/Either.js'
import type { HttpRequest } from '../../../src/adapters/http/messages/message.js'

export interface PlainRequest extends Partial<Omit<HttpRequest, 'header' | 'body'>> {
  /** Names are in lower case; an array stands for several lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Without one, it must not be read. */
  readonly body?: string
}

const unread = (): never => {
  throw new Error('the body was read')
}

export const plainRequest = ({ headers = {}, body, ...rest }: PlainRequest = {}): HttpRequest => ({
  method: 'GET',
  path: '/v1/pets',
  params: {},
  query: '',
  baseUrl: 'http://pets.test/v1',
  clientAddress: '192.0.2.1',
  id: 'r1',
  isExpectationMet: true,
  isSurplus: () => false,
  ...rest,
  header: (name) => [headers[name] ?? []].flat(),
  body: async () => (body === undefined ? unread() : E.right(Buffer.from(body))),
})
