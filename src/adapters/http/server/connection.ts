// One connection: hands Node's parser one request at a time, and a body only while it is being read.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { hasBody, isChunked, plainLength } from '../messages/framing.js'
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
  /** Tells Node's parser that there are no more. */
  readonly end: () => void
  /** Requests parsed while an exchange was under way: hardly ever one, because of how `pieceEnd` cuts. */
  readonly later: (() => void)[]
  /** Bytes that have arrived and wait to be parsed. Nothing more is read from the socket meanwhile. */
  held: Buffer | undefined
  /** The exchange under way. */
  exchange: Exchange | undefined
  /** The client has closed its side: nothing arrives any more. */
  isEnded: boolean
  /** Nothing more is parsed: the exchange under way is the last, or there was one. */
  isOver: boolean
  isWaiting: boolean
  hasTurn: boolean
  /** Bytes that have arrived behind those that are being parsed. */
  bytesBehind: number
  /** Whether all of the body is among them, and is parsed together with its head. */
  isBodyBehind: boolean
  /** Bytes given to the parser, and how many of them when the last exchange ended. */
  parsedBytes: number
  settledBytes: number
  /** How many of them when the exchange under way began: all but a few that follow are of its body. */
  headBytes: number
  /** In milliseconds on the monotonic clock. */
  idleSince: number
}

/** Bytes of a chunked body that are parsed at once: Node makes a Buffer of each chunk. */
const CHUNKED_PIECE = 512
const HEAD_END = Buffer.from('\r\n\r\n')

/** A body up to this size that is in memory anyway is parsed with its head: stopping and starting the socket takes 2 µs. */
const BODY_WITH_HEAD = 16_384

/** Lets the body wait until it is read, unless all of it has arrived. */
export const awaitBody = (connection: Connection, request: IncomingMessage): void => {
  connection.headBytes = connection.parsedBytes
  if (!hasBody(request)) return
  connection.isBodyBehind = plainLength(request) <= Math.min(BODY_WITH_HEAD, connection.bytesBehind)
  if (!connection.isBodyBehind) connection.socket.pause()
}

/** Where the carriage returns and line feeds end that the bytes begin with: the rest of a head, or empty lines before the next one. */
const lineEnds = (bytes: Buffer, at: number): number => {
  let end = at
  while (bytes[end] === 13 || bytes[end] === 10) end += 1
  return end
}

/** A piece ends where a head or a body may end, so that no two requests begin in one. */
const pieceEnd = (bytes: Buffer, at: number, { exchange, parsedBytes, headBytes }: Connection): number => {
  if (exchange !== undefined && !isChunked(exchange.request)) {
    const left = Number(exchange.request.headers['content-length']) - (parsedBytes - headBytes)
    return Math.min(bytes.length, at + Math.max(1, left))
  }
  const lines = exchange === undefined ? lineEnds(bytes, at) : at
  if (lines > at) return lines
  const headEnd = bytes.indexOf(HEAD_END, at)
  const end = headEnd === -1 ? bytes.length : headEnd + HEAD_END.length
  return exchange === undefined ? end : Math.min(end, at + CHUNKED_PIECE)
}

/** Whether a request may begin, or its body is being read. */
const isWanted = ({ exchange, socket, hasTurn, isEnded }: Connection): boolean =>
  exchange === undefined || (!exchange.request.complete && (hasTurn || isEnded || !socket.isPaused()))

/** A request and each piece of a chunked body need room in a turn; other bodies are only copied. */
const mayParse = ({ exchange, hasTurn }: Connection, at: number): boolean =>
  (exchange !== undefined && !isChunked(exchange.request)) || (hasTurn ? at === 0 : isRoomInTurn())

/** Nothing more is parsed from the head of a last response on. Held back, it would hide that the client leaves a stream. */
const isClosing = ({ isOver, exchange }: Connection): boolean =>
  isOver || (exchange?.response.headersSent === true && !exchange.response.shouldKeepAlive)

const giveTurn = (connection: Connection): void => {
  const { socket, later, exchange } = connection
  connection.isWaiting = false
  const step = later.shift()
  if (step === undefined) connection.hasTurn = true
  else step()
  takeHeld(connection)
  connection.hasTurn = false
  // the body of a new request is not read yet
  const isUnread = connection.exchange !== exchange && connection.exchange?.request.complete === false
  if (connection.held === undefined && !isUnread) socket.resume()
}

/** Reads nothing more until a later turn, or the end of the exchange under way. */
export const hold = (connection: Connection): void => {
  const { socket, isWaiting } = connection
  const isLater = isWaiting || !isWanted(connection)
  socket.pause()
  if (isLater) return
  connection.isWaiting = true
  requestInTurn(connection.parsedBytes === 0, () => giveTurn(connection))
}

/** Parses what was held back, as far as it may be parsed now. */
export const takeHeld = (connection: Connection): void => {
  const { held, end } = connection
  connection.held = undefined
  const isAllTaken = held === undefined || take(connection, held)
  // earlier, Node would end the connection with its present response
  if (isAllTaken && connection.isEnded && !isClosing(connection)) end()
}

/** Parses what may be parsed now, and holds the rest back; returns whether there is none. */
export const take = (connection: Connection, chunk: Buffer): boolean => {
  for (let at = 0; at < chunk.length && !isClosing(connection); ) {
    const { exchange: before, isBodyBehind, parsedBytes } = connection
    if (!isBodyBehind && (!isWanted(connection) || !mayParse(connection, at))) {
      connection.held = chunk.subarray(at)
      hold(connection)
      return false
    }
    const end = pieceEnd(chunk, at, connection)
    connection.parsedBytes += end - at
    // empty lines between two requests (RFC 9112 §2.2) are no part of either
    if (parsedBytes === connection.settledBytes && lineEnds(chunk, at) === end)
      connection.settledBytes = connection.parsedBytes
    connection.bytesBehind = chunk.length - end
    connection.isBodyBehind = false
    connection.parse(end - at === chunk.length ? chunk : chunk.subarray(at, end))
    connection.bytesBehind = 0
    at = end
    // its body waits until it is read
    if (connection.exchange !== before) connection.hasTurn = false
  }
  return true
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
