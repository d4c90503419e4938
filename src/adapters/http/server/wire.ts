// What Node's parser reads from, and writes to: a socket whose bytes are handed over in pieces.
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

type Done = (error?: Error | null) => void

/**
 * One read of a socket may hold thousands of requests or chunks, and Node parses all that it reads from a socket at once: 4 MiB of objects
 * for 64 KiB of the smallest requests. So it reads from this stream (`server.emit('connection', stream)`), and gets at most this many bytes
 * per turn of the event loop, and what is left of a body whose length is known.
 */
const BYTES_PER_TURN = 1_024

/** A piece counts as so many bytes at least: blank lines in a body, which end one each, held every other client up for seconds (measured). */
const PIECE_BYTES = 64

/** Ends a head, and a body in chunks (RFC 9112 §2.1, §7.1). */
const BLANK_LINE = '\r\n\r\n'

/** They may precede a request (RFC 9112 §2.2). */
const LINE_ENDS = /^[\r\n]+/

export class Wire extends Duplex {
  /** Bytes that have arrived and wait to be parsed. Nothing more is read from the socket meanwhile. */
  private held: Buffer | undefined
  private isWaiting = false
  /** The last characters that were parsed: with what follows, they may be a blank line. */
  private tail = ''
  /** What is left of a body whose length is known. */
  private bodyBytes = 0
  /** Whether nothing but line ends was parsed since the end of a request. */
  isBetween = true

  private readonly socket: Socket
  private readonly isOpen: () => boolean
  private readonly begin: () => void

  /** `isOpen`: whether what arrives may still be executed. `begin`: called when a request begins to arrive. */
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

  /** A body of this length follows what was parsed. */
  expectBody(bytes: number): void {
    this.bodyBytes = bytes
  }

  /** Node's parser must get nothing of a closed connection: it may serve another one by now. */
  private accepts(): boolean {
    return !this.destroyed && !this.writableEnded && this.isOpen()
  }

  /** Parses what has arrived, in pieces that end where a request does, and keeps what is too much for one turn. */
  private receive(bytes: Buffer): void {
    let rest = bytes
    for (let left = BYTES_PER_TURN; rest.length > 0 && this.accepts(); ) {
      const isBody = this.bodyBytes > 0
      if (this.isPaused() || (left <= 0 && !isBody)) {
        this.hold(rest)
        return
      }
      const text = isBody ? '' : rest.toString('latin1', 0, left)
      // all at once: one by one they held others up even longer
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

  /** To the end of the head, if it is among the first bytes. */
  private headBytes(text: string): number {
    const end = (this.tail + text).indexOf(BLANK_LINE)
    return end === -1 ? text.length : end + BLANK_LINE.length - this.tail.length
  }

  /** Reads nothing more until this is parsed. */
  private hold(bytes: Buffer): void {
    this.held = bytes
    this.socket.pause()
    this.proceed()
  }

  /** Goes on with what was kept, once the others have had their turn. */
  private proceed(): void {
    if (this.held === undefined || this.isWaiting || this.isPaused()) return
    this.isWaiting = true
    setImmediate(() => {
      const { held } = this
      this.isWaiting = false
      // the parser has paused it meanwhile, until somebody reads the body
      if (held === undefined || this.isPaused()) return
      this.held = undefined
      this.receive(held)
      this.readOn()
    })
  }

  /** Reads on, unless more requests would only wait. Who needs nothing more may leave, which only a read shows. */
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

  // straight to the socket, which has a buffer of its own

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
