// The log line of a request, encoded for its fixed shape.
import type { Answered } from '../adapters/http/observer.js'

/** Milliseconds as the log shows them: two decimals. */
export const shownMs = (milliseconds: number): number => Math.round(milliseconds * 100) / 100

/** pino's number for `info`. */
const INFO = 30

/**
 * JSON with a line feed. Only the method and the route come from outside this service's own alphabet; ids are safe as they are
 * (see request-id.ts). `now` is in milliseconds since 1970.
 */
export const requestLine = (answer: Answered, now: number): string => {
  const { requestId, method, route, status, milliseconds, keyId, traceId } = answer
  const key = keyId === undefined ? '' : `,"keyId":"${keyId}"`
  const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`
  const time = new Date(now).toISOString()
  return `{"level":${INFO},"time":"${time}","requestId":"${requestId}","method":${JSON.stringify(method)},"route":"${route}","status":${status}${key}${trace},"ms":${shownMs(milliseconds)},"msg":"request"}\n`
}
