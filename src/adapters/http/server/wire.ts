// A stream between a socket and Node's parser, which hands the bytes over in pieces.
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

type Done = (error?: Error | null) => void

/**
 * Node parses everything that it reads from a socket at once: 64 KiB of the smallest requests become 4 MiB of objects.
 * So it reads from this stream instead (`server.emit('connection', stream)`), and gets at most this many bytes per turn
 * of the event loop, in addition to the rest of a body of known length.
 */
const BYTES_PER_TURN = 1_024

/** Minimum that a piece counts: blank lines in a body, each a piece, blocked other clients for seconds (measured). */
const PIECE_BYTES = 64

/** Ends a head or a chunked body (RFC 9112 §2.1, §7.1). */
const BLANK_LINE = '\r\n\r\n'

/** May precede a request (RFC 9112 §2.2). */
const LINE_ENDS = /^[\r\n]+/

export class Wire extends Duplex {
  /** Bytes that wait to be parsed. The socket is paused meanwhile. */
  private held: Buffer | undefined
  private isWaiting = false
  /** The last three characters parsed, which may begin a blank line. */
  private tail = ''
  /** Bytes left of a body of known length. */
  private bodyBytes = 0
  /** Whether only line ends were parsed since the last request. */
  isBetween = true

  private readonly socket: Socket
  private readonly isOpen: () => boolean
  private readonly begin: () => void

  /** `isOpen`: whether further requests may be executed. `begin`: called when a request begins to arrive. */
  constructor(socket: Socket, isOpen: () => boolean, begin: () => void) {
    super({ decodeStrings: false })
    this.socket = socket
    this.isOpen = isOpen
    this.begin = begin
    Object.defineProperty(this, 'writableLength', { get: () => socket.writableLength })
    socket
      .on('data', (bytes: Buffer) => this.receive(bytes))
      .on('drain', () => {
        this.readOn()
        this.emit('drain')
      })
      .on('timeout', () => socket.destroy())
      .on('error', () => {})
      .on('close', () => this.destroy())
    this.on('resume', () => this.proceed())
  }

  /** Announces the length of the body that follows. */
  expectBody(bytes: number): void {
    this.bodyBytes = bytes
  }

  /** Node's parser must get nothing from a closed connection, because Node may already reuse it for another one. */
  private accepts(): boolean {
    return !this.destroyed && !this.writableEnded && this.isOpen()
  }

  /** Hands over bytes in pieces that end where a request ends, and holds what is too much for one turn. */
  private receive(bytes: Buffer): void {
    let rest = bytes
    for (let left = BYTES_PER_TURN; rest.length > 0 && this.accepts(); ) {
      const isBody = this.bodyBytes > 0
      if (this.isPaused() || (left <= 0 && !isBody)) {
        this.hold(rest)
        return
      }
      const text = isBody ? '' : rest.toString('latin1', 0, left)
      // all line ends in one piece, because one by one they blocked other clients even longer
      const lines = this.isBetween ? (LINE_ENDS.exec(text)?.[0].length ?? 0) : 0
      if (this.isBetween && !isBody && lines === 0) this.begin()
      const piece = rest.subarray(0, isBody ? this.bodyBytes : lines || this.headBytes(text))
      rest = rest.subarray(piece.length)
      if (isBody) this.bodyBytes -= piece.length
      else left -= Math.max(PIECE_BYTES, piece.length)
      this.tail = (this.tail + piece.toString('latin1', Math.max(0, piece.length - 3))).slice(-3)
      this.isBetween = isBody ? this.bodyBytes === 0 : lines > 0 || BLANK_LINE.endsWith(this.tail)
      this.emit('data', piece)
    }
  }

  /** The bytes up to the end of the head, or all if that is not in the text. */
  private headBytes(text: string): number {
    const end = (this.tail + text).indexOf(BLANK_LINE)
    return end === -1 ? text.length : end + BLANK_LINE.length - this.tail.length
  }

  /** Pauses the socket until these bytes are parsed. */
  private hold(bytes: Buffer): void {
    this.held = bytes
    this.socket.pause()
    this.proceed()
  }

  /** Resumes with the held bytes in the next turn of the event loop. */
  private proceed(): void {
    if (this.held === undefined || this.isWaiting || this.isPaused()) return
    this.isWaiting = true
    setImmediate(() => {
      const { held } = this
      this.isWaiting = false
      // the parser may have paused this stream until somebody reads the body
      if (held === undefined || this.isPaused()) return
      this.held = undefined
      this.receive(held)
      this.readOn()
    })
  }

  /** Reads on, unless the client must read first; always after the last request, because only reads show a close. */
  private readOn(): void {
    if (this.held === undefined && !(this.socket.writableNeedDrain && this.accepts())) this.socket.resume()
  }

  get remoteAddress(): string | undefined {
    return this.socket.remoteAddress
  }

  get localAddress(): string | undefined {
    return this.socket.localAddress
  }

  get localPort(): number | undefined {
    return this.socket.localPort
  }

  // directly to the socket, which has its own buffer

  override write(chunk: unknown, encoding?: BufferEncoding | Done, done?: Done): boolean {
    const hasRoom = this.socket.write(chunk as string, encoding as BufferEncoding, done)
    if (!hasRoom && this.accepts()) this.socket.pause()
    return hasRoom
  }

  override cork(): void {
    this.socket.cork()
  }

  override uncork(): void {
    this.socket.uncork()
  }

  override _read(): void {}

  override _write(chunk: unknown, encoding: BufferEncoding, done: Done): void {
    this.socket.write(chunk as string, encoding, done)
  }

  override _final(done: Done): void {
    this.socket.end(() => done())
  }

  override _destroy(error: Error | null, done: Done): void {
    this.socket.destroy()
    done(error)
  }
}
