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

const HUNDREDTHS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

/** Two decimals, written as two integers: formatting a fraction takes three times as long. */
const shown = (time: number): string => {
  const hundredths = Math.round(time * 100)
  return `${Math.floor(hundredths / 100)}.${HUNDREDTHS[hundredths % 100]}`
}

const timeOf = ({ milliseconds, events }: RequestReport): string => {
  // if the headers were refused, there is no meaningful duration
  if (milliseconds === undefined) return ''
  if (events === undefined) return `,"ms":${shown(milliseconds)}`
  // a stream lasts as long as its client wants
  return `,"events":${events},"seconds":${shown(milliseconds / 1_000)}`
}

/** Formats a time in milliseconds since 1970, once per millisecond. */
const makeShownTime = (): ((now: number) => string) => {
  let known = Number.NaN
  let text = ''
  return (now) => {
    if (now !== known) {
      known = now
      text = new Date(now).toISOString()
    }
    return text
  }
}

/** `now` is in milliseconds since 1970. Returns undefined if the request is not logged. */
export type RequestLine = (report: RequestReport, now: number) => string | undefined

/** Only the path and the client's address need escaping: a method is a token (RFC 9110 §9.1), and ids are safe (see requestIdOf). */
export const makeRequestLine = ({ base, isDebug }: RequestLineSettings): RequestLine => {
  const constant = JSON.stringify(base).slice(1, -1)
  const beforeId = `",${constant === '' ? '' : `${constant},`}"requestId":"`
  const shownTime = makeShownTime()
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
    return `${isProbe ? debug : info}${shownTime(now)}${beforeId}${requestId}","method":"${method}","route":"${route}"${path},"status":${status}${error},"bytes":${bytes}${key}${reason}${client}${trace}${timeOf(report)},"msg":"request"}\n`
  }
}
