// One connection: a request under way, a few that wait, and a last word behind them. Nothing behind the last request is executed.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpFailure } from '../failures.js'
import { isLast, type makeHeadFailure } from '../messages/head.js'
import type { Refuse } from './malformed-requests.js'
import { Wire } from './wire.js'

/** At most as many requests begin in one turn of the event loop: Node accepts one connection per turn, and new ones waited for seconds (measured). */
const MOST_PER_TURN = 64
/** After a turn that took longer, half as many begin. */
const LONG_TURN_MS = 50

/** Begins each request at once or, if too many have begun in this turn, in one of the next ones, in the order of their calls. */
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

/** What all connections of a server share. */
export interface Serving {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => unknown
  readonly inTurn: ReturnType<typeof makeTurns>
  readonly refuse: Refuse
  readonly failureOf: ReturnType<typeof makeHeadFailure>
  readonly connections: Map<Duplex, Connection>
  /** How long a client may go on sending after its last response. */
  readonly lingerMs: number
  /** Each response is the last one of its connection. */
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
  /** Refuses what is malformed, once all that came before it is over. */
  lastWord: (() => void) | undefined
  /** When it began to wait or the request to arrive, in milliseconds on the monotonic clock. */
  since: number
  /** Whether its first request is still to come, which must not take longer than any. */
  isNew: boolean
  /**
   * The bytes that its client had not taken when they were last looked at, and since when they are as many. Each byte that such a client
   * sends would put off the timeout of its socket.
   */
  unreadBytes: number
  unreadSince: number
}

/** How many requests of one connection may be without a response (contract: one connection). */
const MAX_AHEAD = 8

const isClosing = ({ response }: Exchange): boolean => response.getHeader('Connection') === 'close'

/** Whether what arrives may still be executed. */
const isOpen = ({ isOver, exchange }: Connection): boolean =>
  !isOver &&
  !(exchange !== undefined && isClosing(exchange) && (exchange.request.complete || exchange.response.headersSent))

/** Whether something waits for a response, which nobody does once the client has left. */
export const isBusy = ({ wire, exchange, waiting, lastWord }: Connection): boolean =>
  wire.writable && (exchange !== undefined || waiting.length > 0 || lastWord !== undefined)

/** Whether no request of it is in flight or arriving. */
export const isIdle = (connection: Connection): boolean =>
  !connection.wire.writable || (!isBusy(connection) && connection.wire.isBetween)

/** Time without a byte from a client after its last response. */
const LINGER_SILENCE_MS = 2_000

/** Reads on after our last word for a while: a reset would lose it to a client that still sends (RFC 9112 §9.6). */
const linger = (socket: Socket, lingerMs: number): void => {
  socket.setTimeout(LINGER_SILENCE_MS).resume()
  const deadline = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(deadline))
}

/** Hands each socket to Node's HTTP, which reads and writes it through our wire. */
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
      // a client that ends its sending side has left, and a stream would wait until it reads
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
  // one turn of the event loop for others
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

/** Serves each request once those before it are over, unless one of them was the last of its connection. */
export const beginOn =
  ({ connections }: Serving) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket)
    if (connection === undefined || connection.isOver) return
    const { wire, exchange, waiting } = connection
    wire.expectBody(Number(request.headers['content-length'] ?? 0))
    // who has just got a response may send the next request before this is settled here
    const unanswered = waiting.length + Number(exchange?.response.writableEnded === false)
    if (unanswered === MAX_AHEAD || (exchange !== undefined && isClosing(exchange))) connection.isOver = true
    else if (isBusy(connection)) waiting.push({ request, response })
    else start(connection, { request, response })
  }

/** Refuses the rest of a request, or what is none, once all that came before it is over, and ends the connection. */
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
  // after the reply to its headers, if that is ready in this turn: it is sent in the next one
  if (isPartial && waiting.length === 0) setImmediate(setImmediate, speak)
  else if (isBusy(connection)) connection.lastWord = speak
  else speak()
}
