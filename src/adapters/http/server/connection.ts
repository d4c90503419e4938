// One connection: hands Node's parser one request at a time, and a body only while it is being read.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { JoinedMessage } from '../messages/joined-message.js'
import { isRoomInTurn, requestInTurn } from '../messages/turns.js'

/** An error of Node's parser has the bytes that it was given. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: unknown
}

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface Connection {
  readonly socket: Socket
  /** Gives bytes to Node's parser. */
  readonly parse: (bytes: Buffer) => void
  /** Requests parsed while an exchange was under way: hardly ever one, because of how `pieceEnd` cuts. */
  readonly later: (() => void)[]
  /** The exchange under way. */
  exchange: Exchange | undefined
  /** Nothing more is parsed: the exchange under way is the last, or there was one. */
  isOver: boolean
  isWaiting: boolean
  hasTurn: boolean
  /** Bytes given to the parser, and how many of them when the last exchange ended. */
  parsedBytes: number
  settledBytes: number
  /** In milliseconds on the monotonic clock. */
  idleSince: number
}

/** Bytes of a chunked body that are parsed at once: Node makes a Buffer of each chunk. */
const CHUNKED_PIECE = 512
const HEAD_END = '\r\n\r\n'

const isChunked = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined

export const hasBody = (request: IncomingMessage): boolean =>
  isChunked(request) || (request.headers['content-length'] ?? '0') !== '0'

/** A piece ends where a head may end, so that no two requests begin in one. */
const pieceEnd = (bytes: Buffer, at: number, exchange: Exchange | undefined): number => {
  const headEnd = bytes.indexOf(HEAD_END, at)
  const end = headEnd === -1 ? bytes.length : headEnd + HEAD_END.length
  return exchange !== undefined && isChunked(exchange.request) ? Math.min(end, at + CHUNKED_PIECE) : end
}

/** Chunks of any size that a body may have. */
const FREE_CHUNKS = 256
/** The average size of a chunk, at least, if there are more. */
const LEAST_BYTES = 5

const isWasteful = ({ request }: Exchange): boolean =>
  request instanceof JoinedMessage && request.chunks > FREE_CHUNKS + request.bodyBytes / LEAST_BYTES

const SMALL_CHUNKS: ParserError = Object.assign(new Error('small chunks'), { code: 'SMALL_CHUNKS' })

/** Whether a request may begin, or its body is being read. */
const isWanted = ({ exchange, socket, hasTurn }: Connection): boolean =>
  exchange === undefined || (!exchange.request.complete && (hasTurn || !socket.isPaused()))

/** A request and each piece of a chunked body need room in a turn; other bodies are only copied. */
const mayParse = ({ exchange, hasTurn }: Connection, at: number): boolean =>
  (exchange !== undefined && !isChunked(exchange.request)) || (hasTurn ? at === 0 : isRoomInTurn())

const giveTurn = (connection: Connection): void => {
  const { socket, later, exchange } = connection
  connection.isWaiting = false
  const step = later.shift()
  if (step === undefined) {
    connection.hasTurn = true
    // emits the bytes
    socket.read()
    connection.hasTurn = false
  } else {
    step()
  }
  // nothing is left to hold back, and the body of a new request is not read yet
  const isUnread = connection.exchange !== exchange && connection.exchange?.request.complete === false
  if (socket.readableLength === 0 && !isUnread) socket.resume()
}

/** Leaves what has arrived in the socket's buffer, from where it comes back in a later turn or after the exchange under way. */
export const hold = (connection: Connection, rest?: Buffer): void => {
  const { socket, isWaiting } = connection
  const isLater = isWaiting || !isWanted(connection)
  socket.pause()
  if (rest !== undefined) socket.unshift(rest)
  if (isLater) return
  connection.isWaiting = true
  requestInTurn(connection.parsedBytes === 0, () => giveTurn(connection))
}

/** Parses what may be parsed now. */
export const take = (connection: Connection, chunk: Buffer, refuse: (error: Error) => void): void => {
  for (let at = 0; at < chunk.length && !connection.isOver; ) {
    if (!isWanted(connection) || !mayParse(connection, at)) {
      hold(connection, at === 0 ? chunk : chunk.subarray(at))
      return
    }
    const before = connection.exchange
    const end = pieceEnd(chunk, at, before)
    connection.parsedBytes += end - at
    connection.parse(end - at === chunk.length ? chunk : chunk.subarray(at, end))
    at = end
    const { exchange } = connection
    // its body waits until it is read
    if (exchange !== before) connection.hasTurn = false
    if (exchange?.request.complete === false && isWasteful(exchange)) refuse(SMALL_CHUNKS)
  }
}

/** Time without a byte from a client after its last response. */
const LINGER_SILENCE_MS = 2_000

/** Closes our side, but reads on for a while: a reset would lose the response to a client that still sends (RFC 9112 §9.6). */
export const lingeringClose = (socket: Duplex, lingerMs: number): void => {
  socket.end()
  const silence = setTimeout(() => socket.destroy(), Math.min(LINGER_SILENCE_MS, lingerMs)).unref()
  const deadline = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.on('data', () => silence.refresh()).resume()
  socket.once('close', () => {
    clearTimeout(silence)
    clearTimeout(deadline)
  })
}
