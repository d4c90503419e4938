// One connection: what is under way, what waits, and what is over.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Wire } from './wire.js'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface Connection {
  readonly wire: Wire
  readonly waiting: Exchange[]
  exchange: Exchange | undefined
  /** Whether a request has begun to arrive. */
  isArriving: boolean
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

/** Whether its response is known to be the last of its connection. */
export const isClosing = ({ response }: Exchange): boolean => response.getHeader('Connection') === 'close'

/** Whether what arrives is behind the last request of its connection. */
export const isLastRead = ({ exchange }: Connection): boolean =>
  exchange !== undefined && isClosing(exchange) && (exchange.request.complete || exchange.response.headersSent)

/** Whether something waits for a response. */
export const isBusy = ({ wire, exchange, waiting, lastWord }: Connection): boolean =>
  !wire.writableEnded && (exchange !== undefined || waiting.length > 0 || lastWord !== undefined)

/** Whether no request of it is in flight or arriving. */
export const isIdle = (connection: Connection): boolean =>
  connection.wire.writableEnded || (!isBusy(connection) && !connection.isArriving)
