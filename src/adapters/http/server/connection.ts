// One connection: the current request, a few that wait, and a final refusal. Executes nothing after the last request.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpFailure } from '../failures.js'
import { isLast, type makeHeadFailure } from '../messages/head.js'
import type { Refuse } from './malformed-requests.js'
import { Wire } from './wire.js'

/** Requests started per event-loop turn: Node accepts one connection per turn; new ones waited seconds (measured). */
const MOST_PER_TURN = 64
/** A turn that takes longer halves the number of the next one. */
const LONG_TURN_MS = 50

/** Starts each request at once or, if too many were started in this turn, in a later one, in order. */
export const makeTurns = (): ((begin: () => void) => void) => {
  const waiting: (() => void)[] = []
  let [most, begun, since] = [MOST_PER_TURN, 0, 0]

  const start = (begin: () => void): void => {
    if (begun === 0) {
      since = performance.now()
      setImmediate(nextTurn)
    }
    begun += 1
    begin()
  }

  const nextTurn = (): void => {
    most = performance.now() - since > LONG_TURN_MS ? Math.max(1, most >> 1) : Math.min(MOST_PER_TURN, 2 * most)
    begun = 0
    for (const begin of waiting.splice(0, most)) start(begin)
  }

  return (begin) => {
    if (waiting.length === 0 && begun < most) start(begin)
    else waiting.push(begin)
  }
}

/** Shared by all connections of a server. */
export interface Serving {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => unknown
  readonly inTurn: ReturnType<typeof makeTurns>
  readonly refuse: Refuse
  readonly failureOf: ReturnType<typeof makeHeadFailure>
  readonly connections: Map<Duplex, Connection>
  /** Milliseconds for which a client may go on sending after its last response. */
  readonly lingerMs: number
  /** From now on, each response is the last one of its connection. */
  isEnding: boolean
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface Connection {
  readonly wire: Wire
  readonly serving: Serving
  readonly waiting: Exchange[]
  exchange: Exchange | undefined
  /** Nothing that arrives from now on is executed. */
  isOver: boolean
  /** Sends the final refusal, once everything before it is over. */
  lastWord: (() => void) | undefined
  /** When the connection became idle or a request began to arrive, in milliseconds on the monotonic clock. */
  since: number
  /** Whether the first request has not begun yet; it has the same time limit as any. */
  isNew: boolean
  /**
   * Bytes that the client had not taken at the last check, and since when that number is unchanged. The timeout of the
   * socket would not do, because each byte that the client sends resets it.
   */
  unreadBytes: number
  unreadSince: number
}

/** Requests of one connection that may wait for a response (contract: one connection). */
const MAX_AHEAD = 8

const isClosing = ({ response }: Exchange): boolean => response.getHeader('Connection') === 'close'

/** Whether what arrives may still be executed. */
const isOpen = ({ isOver, exchange }: Connection): boolean =>
  !isOver &&
  !(exchange !== undefined && isClosing(exchange) && (exchange.request.complete || exchange.response.headersSent))

/** Whether a request or refusal is pending; never once the client has left. */
export const isBusy = ({ wire, exchange, waiting, lastWord }: Connection): boolean =>
  wire.writable && (exchange !== undefined || waiting.length > 0 || lastWord !== undefined)

/** Whether no request is in flight or arriving. */
export const isIdle = (connection: Connection): boolean =>
  !connection.wire.writable || (!isBusy(connection) && connection.wire.isBetween)

/** Milliseconds of silence after the last response before the socket is closed. */
const LINGER_SILENCE_MS = 2_000

/** Reads on after our last response: a client that still sends could lose it to a reset (RFC 9112 §9.6). */
const linger = (socket: Socket, lingerMs: number): void => {
  socket.setTimeout(LINGER_SILENCE_MS).resume()
  const deadline = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(deadline))
}

/** Lets Node's HTTP server read and write each socket through our `Wire`. */
export const openOn =
  (http: Server, serving: Serving) =>
  (socket: Socket): void => {
    const begin = (): void => {
      if (!isBusy(connection)) connection.since = performance.now()
    }
    const wire = new Wire(socket, () => isOpen(connection), begin)
    const connection: Connection = {
      wire,
      serving,
      waiting: [],
      exchange: undefined,
      isOver: false,
      lastWord: undefined,
      since: performance.now(),
      isNew: true,
      unreadBytes: 0,
      unreadSince: 0,
    }
    serving.connections.set(wire, connection)
    socket.once('end', () => {
      const response = connection.exchange?.response
      // a client that has ended its sending side counts as gone; a stream would wait for it to read
      if (response?.headersSent === true && !response.writableEnded) wire.destroy()
    })
    wire.once('finish', () => linger(socket, serving.lingerMs)).once('close', () => serving.connections.delete(wire))
    http.emit('connection', wire)
  }

const proceed = (connection: Connection): void => {
  const { wire, waiting, lastWord } = connection
  const exchange = wire.writable ? waiting.shift() : undefined
  connection.since = performance.now()
  if (exchange !== undefined) start(connection, exchange)
  else lastWord?.()
}

const settle = (connection: Connection): void => {
  connection.exchange = undefined
  connection.since = performance.now()
  // gives other connections a turn of the event loop
  if (isBusy(connection)) setImmediate(proceed, connection)
  else if (connection.isOver) connection.wire.end()
}

const start = (connection: Connection, exchange: Exchange): void => {
  const { request, response } = exchange
  const { serving, isOver, lastWord, waiting } = connection
  connection.isNew = false
  connection.exchange = exchange
  const isLastAllowed = isOver && lastWord === undefined && waiting.length === 0
  if (serving.isEnding || isLastAllowed || isLast(request)) response.setHeader('Connection', 'close')
  response.once('close', () => settle(connection))
  const failure = serving.failureOf(request)
  if (lastWord !== undefined && !request.complete) lastWord()
  else if (failure === undefined) serving.inTurn(() => serving.serve(request, response))
  else serving.refuse.exchange(failure, request, response)
}

/** Serves each request once those before it are over. Ignores requests after the last one of a connection. */
export const beginOn =
  ({ connections }: Serving) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket)
    if (connection === undefined || connection.isOver) return
    const { wire, exchange, waiting } = connection
    wire.expectBody(Number(request.headers['content-length'] ?? 0))
    // a client may send its next request before the exchange of a response just sent is settled
    const unanswered = waiting.length + Number(exchange?.response.writableEnded === false)
    if (unanswered === MAX_AHEAD || (exchange !== undefined && isClosing(exchange))) connection.isOver = true
    else if (isBusy(connection)) waiting.push({ request, response })
    else start(connection, { request, response })
  }

/** Refuses a malformed or late request, once everything before it is over, and ends the connection. */
export const refuseRest = (connection: Connection, failure: HttpFailure, request?: IncomingMessage): void => {
  const { wire, serving, exchange, isOver, waiting } = connection
  const speak = (): void => {
    const current = connection.exchange
    if (current !== undefined) serving.refuse.exchange(failure, current.request, current.response)
    else if (wire.writable) serving.refuse.connection(failure, wire, request)
  }
  const isPartial = exchange?.request.complete === false && !exchange.response.headersSent
  if (isOver && !isPartial) return
  connection.isOver = true
  // two turns, because a reply to the headers that is ready in this turn is sent in the next one, and goes first
  if (isPartial && waiting.length === 0) setImmediate(setImmediate, speak)
  else if (isBusy(connection)) connection.lastWord = speak
  else speak()
}
