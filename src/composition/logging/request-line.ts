// The log line of a request, encoded for its fixed shape.
import type { Answered } from '../../adapters/http/observer.js'
import { shownPath } from './shown-path.js'

export interface RequestLineSettings {
  /** Members of every line, in the order in which they are written. */
  readonly base: Readonly<Record<string, string>>
  /** Of this many requests that succeed, one is logged. */
  readonly successesOneIn: number
  /** Whether each line also tells the path as it was sent. */
  readonly isDebug: boolean
}

/** Milliseconds as the log shows them: two decimals. */
const shownMs = (milliseconds: number): number => Math.round(milliseconds * 100) / 100

/** `now` is in milliseconds since 1970. Undefined: the request is not logged. */
export type RequestLine = (answer: Answered, now: number) => string | undefined

/** FNV-1a: the same request is chosen by every instance and every run. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Orchestrators send these every few seconds. */
export const isProbe = (route: string): boolean => route === '/health/live' || route === '/health/ready'

const FAILED_FROM = 400

/**
 * JSON with a line feed. What is the same in every line is encoded once. Only the method, the path and the client's address come
 * from outside this service's own alphabet; ids are safe as they are (see request-id.ts).
 */
export const makeRequestLine = ({ base, successesOneIn, isDebug }: RequestLineSettings): RequestLine => {
  const constant = JSON.stringify(base).slice(1, -1)
  const beforeId = `",${constant === '' ? '' : `${constant},`}"requestId":"`
  const info = `{"level":"info","time":"`
  const debug = `{"level":"debug","time":"`
  const end = `,"msg":"request"}\n`
  const sampledEnd = successesOneIn === 1 ? end : `,"sampledOneIn":${successesOneIn}${end}`

  return (answer, now) => {
    const { requestId, method, route, status, code, bytes, milliseconds, keyId, clientAddress, traceId } = answer
    const isQuiet = isProbe(route)
    if (isQuiet && !isDebug) return undefined
    const isSuccess = status < FAILED_FROM
    if (isSuccess && successesOneIn > 1 && hashOf(requestId) % successesOneIn !== 0) return undefined
    const path = isDebug ? `,"path":${JSON.stringify(shownPath(answer.path))}` : ''
    const error = code === undefined ? '' : `,"code":"${code}"`
    const key = keyId === undefined ? '' : `,"keyId":"${keyId}"`
    const client = clientAddress === undefined ? '' : `,"clientAddress":${JSON.stringify(clientAddress)}`
    const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`
    const time = new Date(now).toISOString()
    return `${isQuiet ? debug : info}${time}${beforeId}${requestId}","method":${JSON.stringify(method)},"route":"${route}"${path},"status":${status}${error},"bytes":${bytes}${key}${client}${trace},"ms":${shownMs(milliseconds)}${isSuccess ? sampledEnd : end}`
  }
}
