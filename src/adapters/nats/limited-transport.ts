// The socket of one connection to a broker, which can send only a bounded number of bytes that nobody asked for.
import { once } from 'node:events'
import { connect as dial, type Socket } from 'node:net'
import { TLSSocket, connect as upgrade } from 'node:tls'
import {
  type ConnectionOptions,
  checkOptions,
  errors,
  type Server,
  type ServerInfo,
  type Transport,
} from '@nats-io/transport-node'
import { asError, memberOf } from '../../domain/thrown.js'

/** A batch of 256 acknowledgements has some 50 KB. The driver pings every five seconds, which asks, too. */
const MAX_UNREQUESTED_BYTES = 1_048_576

const PONG = 'PONG\r\n'
const INFO = /^INFO\s([^\r\n]+)\r\n/i
const LF = 10

const flooded = (): Error => new errors.ConnectionError(`more than ${MAX_UNREQUESTED_BYTES} bytes without a request`)

/** Node's words for a refusal vary with the number of addresses. */
const connectionError = (cause: unknown): Error =>
  memberOf(cause, 'code') === 'ECONNREFUSED'
    ? new errors.ConnectionError('connection refused', { cause })
    : asError(cause ?? new errors.ConnectionError('the server closed the connection'))

/** Reads to the end of the first line, at least; leaves the socket paused. */
const readFirstLine = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_UNREQUESTED_BYTES) {
        socket.destroy()
        reject(flooded())
      } else if (chunk.includes(LF)) {
        socket.off('data', onData).pause()
        resolve(Buffer.concat(chunks))
      }
    }
    socket.on('data', onData)
  })

/** Like the driver's own, without certificate files and `handshakeFirst`, which no setting of ours asks for. */
export const makeLimitedTransport = (onFlood: (error: Error) => void): Transport => {
  let socket: Socket | undefined
  let head: Buffer = Buffer.alloc(0)
  let unrequested = 0
  let hasReplied = false
  let isConnected = false
  let onClosed: (error?: Error) => void = () => {}
  const closed = new Promise<Error | undefined>((resolve) => {
    onClosed = resolve
  })

  const discard = (): void => {
    transport.isClosed = true
    socket?.destroy()
  }

  /** The driver dials again once it knows; while it dials, it learns of a failure in another way. */
  const end = (error?: Error): void => {
    if (transport.isClosed) return
    if (error !== undefined) transport.closeError = error
    discard()
    if (isConnected) onClosed(error)
  }

  /** Rejects when the socket fails or closes first. */
  const beforeClose = <A>(opened: Socket, work: Promise<A>): Promise<A> =>
    new Promise((resolve, reject) => {
      let cause: unknown
      opened.on('error', (error) => {
        cause = error
      })
      opened.once('close', () => reject(connectionError(cause)))
      work.then(resolve, (error: unknown) => reject(connectionError(error)))
    })

  const connect = async (server: Server, options: ConnectionOptions): Promise<void> => {
    try {
      const plain = dial({ host: server.hostname, port: server.port, noDelay: true })
      socket = plain
      head = await beforeClose(
        plain,
        once(plain, 'connect').then(() => readFirstLine(plain)),
      )
      const [, json] = INFO.exec(head.toString()) ?? []
      if (json === undefined) throw new errors.ConnectionError('unexpected response from the server')
      const info = JSON.parse(json) as ServerInfo
      checkOptions(info, options)
      if (info.tls_required === true || (info.tls_available === true && options.tls !== null)) {
        // Node would expect a certificate for localhost if it did not know the host
        const secure = upgrade({ socket: plain, host: server.hostname, servername: server.tlsName })
        socket = secure
        await beforeClose(secure, once(secure, 'secureConnect'))
      }
      if (transport.isClosed) throw new errors.ConnectionError('the connection was given up')
      isConnected = true
      const opened = socket
      opened.once('close', () => end())
      opened.on('error', end)
    } catch (error) {
      socket?.destroy()
      throw error
    }
  }

  /** Reads only as fast as the driver parses, and as the broker takes replies; ends with the connection. */
  async function* read(): AsyncGenerator<Uint8Array, void> {
    try {
      unrequested += head.length
      yield head
      if (socket === undefined) return
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        unrequested += chunk.length
        if (unrequested > MAX_UNREQUESTED_BYTES) {
          onFlood(flooded())
          return
        }
        hasReplied = false
        yield chunk
        // a broker that reads nothing
        if (socket.writableNeedDrain) await Promise.race([once(socket, 'drain'), closed])
      }
    } catch {
      // whatever ended the socket has been reported
    } finally {
      // also after a flood, and after bytes that the driver cannot parse
      end()
    }
  }

  const send = (frame: Uint8Array): void => {
    if (transport.isClosed) return
    const isReply = frame.length === PONG.length && Buffer.from(frame).toString() === PONG
    if (!isReply) unrequested = 0
    // one reply for all pings of a chunk: a flood of them would otherwise cost a system call each
    else if (hasReplied) return
    else hasReplied = true
    socket?.write(frame)
  }

  const transport: { -readonly [Name in keyof Transport]: Transport[Name] } = {
    lang: 'nats.js',
    version: '3.4.0',
    isClosed: false,
    connect,
    [Symbol.asyncIterator]: read,
    isEncrypted: () => socket instanceof TLSSocket,
    send,
    close: async (error) => end(error),
    disconnect: () => end(),
    closed: async () => closed,
    discard,
  }
  return transport
}
