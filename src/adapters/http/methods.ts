// All methods of one path: HEAD as GET, OPTIONS for everybody, and 405 for the rest.
import { errorReply } from './error-reply.js'
import type { Endpoint } from './messages/reply.js'

export type Method = 'GET' | 'POST'

/** The endpoint of a path whose methods these are; the writer of replies leaves the body of a HEAD out. */
export const byMethod = (endpoints: ReadonlyMap<Method, Endpoint>): Endpoint => {
  const allow = [...endpoints.keys()]
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat('OPTIONS')
  const allowed = new Map<string, Endpoint>(endpoints)
  const get = endpoints.get('GET')
  if (get !== undefined) allowed.set('HEAD', get)
  allowed.set('OPTIONS', async () => ({ status: 204, headers: [['Allow', allow.join(', ')]] }))
  return async (request) =>
    allowed.get(request.method)?.(request) ??
    errorReply({ _tag: 'MethodNotAllowed', allow: allow.join(', ') }, request.id)
}
