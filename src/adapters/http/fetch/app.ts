// The service on the Fetch standard: a Request in, a Response out. Knows neither Koa nor Node's server.
import * as O from 'fp-ts/lib/Option.js'
import { makeAnswering } from '../answer.js'
import { answeredOf } from '../answered.js'
import { forwardedAddress, makeTlsWarning } from '../messages/addresses.js'
import { type HttpRequest, headersOf, type Reply } from '../messages/message.js'
import { requestIdOf, traceIdOf } from '../messages/request-headers.js'
import { byPath } from '../path-routes.js'
import { routeTable, type UseCases } from '../routes.js'
import type { FetchHandler, HandlerSettings } from './handler.js'
import { readBody } from './read-body.js'
import { makeRouter } from './router.js'
import { streamBody } from './stream-body.js'

const encoder = new TextEncoder()

/** The response, and the number of bytes of its body: none to HEAD. */
const responseOf = (method: string, reply: Reply, requestId: string): readonly [Response, bytes: number] => {
  const { status } = reply
  const body = typeof reply.body === 'string' ? encoder.encode(reply.body) : reply.body
  const size = body?.length ?? 0
  const headers = new Headers()
  const lines = headersOf(reply, requestId, size)
  for (let at = 0; at < lines.length; at += 2) headers.append(lines[at] ?? '', lines[at + 1] ?? '')
  const isSent = body !== undefined && method !== 'HEAD'
  return [new Response(isSent ? body : null, { status, headers }), isSent ? size : 0]
}

export const makeFetchApp = (useCases: UseCases, settings: HandlerSettings): FetchHandler => {
  const { publicUrl, trustedProxies, maxBodyBytes, maxInFlight, observer, peerAddress } = settings
  const find = makeRouter(byPath(routeTable(useCases, settings)))
  const answer = makeAnswering(useCases.authenticate, settings, () => undefined)
  const warnOfTls = makeTlsWarning(settings)
  let inFlight = 0

  /** The response, and the report to the observer. */
  const respond = async (sent: Request): Promise<readonly [Response, report: () => void]> => {
    const start = performance.now()
    const { method, signal } = sent
    const { origin, protocol, pathname, search } = new URL(sent.url)
    // the standard joins the lines of one header
    const headers: Readonly<Record<string, string>> = Object.fromEntries(sent.headers)
    if (protocol === 'http:') warnOfTls({ headers })
    const match = find(pathname)
    const forwarded = forwardedAddress({ headers }, trustedProxies)
    const request: HttpRequest = {
      method,
      path: pathname,
      params: match?.params ?? {},
      query: search.slice(1),
      header: (name) => {
        const value = headers[name]
        return value === undefined ? [] : [value]
      },
      baseUrl: publicUrl ?? `${origin}/v1`,
      clientAddress: forwarded ?? peerAddress?.(sent) ?? '',
      id: requestIdOf(headers['x-request-id']),
      // the runtime handles expectations
      isExpectationMet: true,
      isSurplus: () => inFlight > maxInFlight,
      body: () => readBody(sent, maxBodyBytes),
    }
    const result = await answer(match?.target, request)
    const { reply, cause } = result
    if (O.isSome(cause)) observer.failed(cause.value, request.id)
    const report = (bytes: number): void =>
      observer.responded(
        answeredOf(request, match?.target, result, {
          bytes,
          events: reply.stream?.events(),
          milliseconds: performance.now() - start,
          clientAddress: forwarded,
          traceId: traceIdOf(headers['traceparent']),
        }),
      )
    const [response, bytes] = responseOf(method, reply, request.id)
    if (reply.stream !== undefined) {
      const body = streamBody(reply.stream, signal, report)
      return [new Response(body, { status: reply.status, headers: response.headers }), () => {}]
    }
    // nothing reaches a client that is gone
    return [response, () => report(signal.aborted ? 0 : bytes)]
  }

  return async (sent) => {
    let response: Response | undefined
    inFlight += 1
    try {
      const [made, report] = await respond(sent)
      response = made
      report()
    } catch (cause) {
      // a defect here or in the observer
      observer.failed(cause, '')
    }
    inFlight -= 1
    return response ?? new Response(null, { status: 500 })
  }
}
