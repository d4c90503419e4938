// The log line of a request, written by hand for its fixed shape.
import { mayHoldSecret } from '../../domain/api-keys/api-key-text.js'
import type { RequestReport } from '../../ports/observer.js'

const MAX_PATH_LENGTH = 200

/** Hides paths with secrets, and replaces control characters, which a terminal might execute. */
export const shownPath = (path: string): string =>
  mayHoldSecret(path) ? '(hidden)' : path.slice(0, MAX_PATH_LENGTH).replaceAll(/[^!-~]/g, '?')

export interface RequestLineSettings {
  /** Members of every line, in the order in which they are written. */
  readonly base: Readonly<Record<string, string>>
  /** Whether each line also contains the path as sent. */
  readonly isDebug: boolean
}

const hundredths = (time: number): number => Math.round(time * 100) / 100

const timeOf = ({ milliseconds, events }: RequestReport): string => {
  // if the headers were refused, there is no meaningful duration
  if (milliseconds === undefined) return ''
  if (events === undefined) return `,"ms":${hundredths(milliseconds)}`
  // a stream lasts as long as its client wants
  return `,"events":${events},"seconds":${hundredths(milliseconds / 1_000)}`
}

/** `now` is in milliseconds since 1970. Returns undefined if the request is not logged. */
export type RequestLine = (report: RequestReport, now: number) => string | undefined

/** Only the path and the client's address need escaping: a method is a token (RFC 9110 §9.1), and ids are safe (see requestIdOf). */
export const makeRequestLine = ({ base, isDebug }: RequestLineSettings): RequestLine => {
  const constant = JSON.stringify(base).slice(1, -1)
  const beforeId = `",${constant === '' ? '' : `${constant},`}"requestId":"`
  const info = `{"level":"info","time":"`
  const debug = `{"level":"debug","time":"`

  return (report, now) => {
    const { requestId, method, route, isProbe, status, code, bytes, clientAddress, traceId } = report
    const { invalidKeyReason, keyId = report.invalidKeyId } = report
    if (isProbe && !isDebug) return undefined
    const path = isDebug ? `,"path":${JSON.stringify(shownPath(report.path))}` : ''
    const error = code === undefined ? '' : `,"code":"${code}"`
    const key = keyId === undefined ? '' : `,"keyId":"${keyId}"`
    const reason = invalidKeyReason === undefined ? '' : `,"reason":"${invalidKeyReason}"`
    const client = clientAddress === undefined ? '' : `,"clientAddress":${JSON.stringify(clientAddress)}`
    const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`
    return `${isProbe ? debug : info}${new Date(now).toISOString()}${beforeId}${requestId}","method":"${method}","route":"${route}"${path},"status":${status}${error},"bytes":${bytes}${key}${reason}${client}${trace}${timeOf(report)},"msg":"request"}\n`
  }
}
