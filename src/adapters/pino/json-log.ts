// The log as JSON lines, by pino; request lines are written by hand, for speed.
import type { LevelWithSilent } from 'pino'
import { mayHoldSecret } from '../../domain/api-keys/api-key-text.js'
import { asError, isError, memberOf } from '../../domain/thrown.js'
import type { RequestReport } from '../../ports/observer.js'
import type { LineStream, Log } from './log.js'

const MAX_PATH_LENGTH = 200

/** Hides paths with secrets, and replaces control characters, which a terminal might execute. */
const shownPath = (path: string): string =>
  mayHoldSecret(path) ? '(hidden)' : path.slice(0, MAX_PATH_LENGTH).replaceAll(/[^!-~]/g, '?')

export interface RequestLineSettings {
  /** Members of every line, in order. */
  readonly base: Readonly<Record<string, string>>
  /** Whether health probes are logged, too. */
  readonly isDebug: boolean
  /** Whether each line also contains the path as sent; by default, only with `isDebug`. */
  readonly hasPath?: boolean
}

const timeOf = ({ milliseconds, events }: RequestReport): string => {
  // no meaningful duration, because the headers were refused
  if (milliseconds === undefined) return ''
  if (events === undefined) return `,"ms":${milliseconds.toFixed(2)}`
  // a stream lasts as long as its client wants
  return `,"events":${events},"seconds":${(milliseconds / 1_000).toFixed(2)}`
}

/**
 * `now` is in milliseconds since 1970. Returns undefined if the request is not logged. Only the path and the client's
 * address need escaping: a method is a token (RFC 9110 §9.1), and ids are safe (see requestIdOf).
 */
export const makeRequestLine = ({ base, isDebug, hasPath = isDebug }: RequestLineSettings) => {
  const constant = JSON.stringify(base).slice(1, -1)
  const beforeId = `",${constant === '' ? '' : `${constant},`}"requestId":"`
  // formatted once per millisecond, because it takes one microsecond
  let [at, time] = [Number.NaN, '']

  return (report: RequestReport, now: number): string | undefined => {
    const { requestId, method, route, isProbe, status, code, bytes, clientAddress, traceId } = report
    const { invalidKeyReason, keyId = report.invalidKeyId } = report
    if (isProbe && !isDebug) return undefined
    if (now !== at) [at, time] = [now, new Date(now).toISOString()]
    const path = hasPath ? `,"path":${JSON.stringify(shownPath(report.path))}` : ''
    const error = code === undefined ? '' : `,"code":"${code}"`
    const key = keyId === undefined ? '' : `,"keyId":"${keyId}"`
    const reason = invalidKeyReason === undefined ? '' : `,"reason":"${invalidKeyReason}"`
    const client = clientAddress === undefined ? '' : `,"clientAddress":${JSON.stringify(clientAddress)}`
    const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`
    return `{"level":"${isProbe ? 'debug' : 'info'}","time":"${time}${beforeId}${requestId}","method":"${method}","route":"${route}"${path},"status":${status}${error},"bytes":${bytes}${key}${reason}${client}${trace}${timeOf(report)},"msg":"request"}\n`
  }
}

type Pino = Pick<typeof import('pino'), 'pino' | 'stdSerializers' | 'stdTimeFunctions'>

/** Embedders need not install pino. Bundlers tolerate an import that they cannot resolve only inside `try`. */
const loadPino = async (): Promise<Pino> => {
  try {
    return await import('pino')
  } catch (cause) {
    throw new Error('this log needs the package pino: npm install pino', { cause })
  }
}

/** Leaves out everything else that drivers attach to errors, such as documents, commands and connection settings. */
const serializersOf = ({ stdSerializers }: Pick<Pino, 'stdSerializers'>) => ({
  err: (cause: unknown): unknown => {
    if (!isError(cause)) return cause
    // the message without those of its causes, which the stack contains
    const { type, stack } = stdSerializers.err(cause)
    // Node's error for a host with several addresses has no message of its own
    const parts = [memberOf(cause, 'errors') ?? []].flat()
    return { type, message: cause.message || parts.map((part) => asError(part).message).join('; '), stack }
  },
})

/** Writes JSON lines. Rejects without pino. A request line takes less than 1 µs instead of pino's 12 (measured). */
export const makeJsonLog = async (
  { level, ...lines }: Omit<RequestLineSettings, 'isDebug'> & { readonly level: LevelWithSilent },
  stream: LineStream,
): Promise<Log> => {
  const library = await loadPino()
  const serializers = serializersOf(library)
  const timestamp = library.stdTimeFunctions.isoTime
  const formatters = { level: (name: string) => ({ level: name }) }
  const logger = library.pino({ level, base: lines.base, timestamp, formatters, serializers }, stream)
  const requestLine = makeRequestLine({ ...lines, isDebug: logger.isLevelEnabled('debug') })
  const request = (report: RequestReport): void => {
    const line = requestLine(report, Date.now())
    if (line !== undefined) stream.write(line)
  }
  return Object.assign(logger, { request: logger.isLevelEnabled('info') ? request : () => {} })
}
