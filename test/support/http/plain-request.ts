import type { HttpRequest } from '../../../src/adapters/http/messages/message.js'

export interface PlainRequest extends Partial<Omit<HttpRequest, 'header'>> {
  /** Names are in lower case; an array stands for several lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

export const plainRequest = ({ headers = {}, ...rest }: PlainRequest = {}): HttpRequest => ({
  method: 'GET',
  path: '/v1/pets',
  params: {},
  query: '',
  baseUrl: 'http://pets.test/v1',
  clientAddress: '192.0.2.1',
  id: 'r1',
  ...rest,
  header: (name) => [headers[name] ?? []].flat(),
})
