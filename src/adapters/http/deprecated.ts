// The headers of an operation that will go: RFC 9745, RFC 8594 and the links that tell more.
import type { Endpoint } from './messages/reply.js'

/** 21 November 2026, the day of the announcement, in seconds since 1970. */
const DEPRECATION = '@1795219200'
const SUNSET = 'Thu, 05 Dec 2030 00:00:00 GMT'

/** The endpoint with the headers on every answer, refusals included. */
export const deprecated =
  (endpoint: Endpoint): Endpoint =>
  async (request) => {
    const reply = await endpoint(request)
    // beside `/v1`, with which every base address ends
    const policy = `${request.baseUrl.slice(0, -'/v1'.length)}/docs`
    const link = `<${policy}>; rel="deprecation", <${request.baseUrl}/pets>; rel="successor-version"`
    return { ...reply, headers: [...reply.headers, ['Deprecation', DEPRECATION], ['Sunset', SUNSET], ['Link', link]] }
  }
