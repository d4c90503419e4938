// POSTs over one connection, which is kept after success. Calls are bounded in time and memory, whatever the receiver does.
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'

/** The response without its body, or why there is none. */
type Posted =
  | { readonly _tag: 'Response'; readonly status: number; readonly headers: IncomingMessage['headers'] }
  | { readonly _tag: 'NoResponse'; readonly reason: string }

/** Beyond these limits, the rest of a body is not read: the connection is closed, and the next call opens another. */
const MAX_BODY_BYTES = 65_536
const BODY_TIMEOUT_MS = 1_000

/** Resolves once the connection can be used again, or is closed. */
const skipBody = (response: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), BODY_TIMEOUT_MS)
    let length = 0
    response.on('data', (bytes: Buffer) => {
      length += bytes.length
      if (length > MAX_BODY_BYTES) response.destroy()
    })
    // ignored, because the status has already arrived
    response.on('error', () => {})
    response.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : error.name)

/** Messages may be empty or have several lines. They name the host, but neither the path nor a header. */
const textOf = (error: Error): string => `${codeOf(error)}: ${error.message.split('\n')[0] ?? ''}`

/** `url` is never part of a reason, because its path or query may be secret. */
export const openLink = (url: URL, timeoutMs: number) => {
  const isTls = url.protocol === 'https:'
  const agent = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 })
  let isClosed = false

  /** Never rejects. */
  const post = (body: string, headers: Readonly<Record<string, string>>): Promise<Posted> =>
    new Promise((resolve) => {
      const failed = (reason: string): void => resolve({ _tag: 'NoResponse', reason })
      if (isClosed) {
        failed('the service has stopped')
        return
      }
      const length = { 'content-length': Buffer.byteLength(body) }
      const options = { method: 'POST', agent, headers: { ...headers, ...length } }
      const sent = (isTls ? requestHttps : requestHttp)(url, options)
      let [isLate, hasResponded] = [false, false]
      const timer = setTimeout(() => {
        isLate = true
        sent.destroy()
      }, timeoutMs)
      sent.on('response', (response) => {
        hasResponded = true
        const { statusCode: status = 0, headers } = response
        void skipBody(response).then(() => resolve({ _tag: 'Response', status, headers }))
        // behind a balancer, another connection may lead to a receiver that works
        if (status < 200 || status >= 300) response.destroy()
      })
      sent.on('error', (error) => {
        if (hasResponded) return
        if (isClosed) failed('no response until the service stopped')
        else if (isLate) failed(`no response within ${timeoutMs / 1_000} s`)
        // the receiver may have closed the idle connection just before this request
        else if (sent.reusedSocket) resolve(post(body, headers))
        else failed(textOf(error))
      })
      sent.on('close', () => {
        clearTimeout(timer)
        // for example after 101, when Node closes the connection without an error
        if (!hasResponded) failed('the connection was closed without a response')
      })
      sent.end(body)
    })

  return {
    post,
    /** Also ends a call in flight. */
    close: (): void => {
      isClosed = true
      agent.destroy()
    },
  }
}
