// What Node's parser reads from, and writes to: a socket whose bytes are handed over in pieces.
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

type Done = (error?: Error | null) => void

/**
 * One read of a socket may hold thousands of requests or chunks, and Node parses all that it reads from a socket at once: 4 MiB of objects
 * for 64 KiB of the smallest requests. So it reads from this stream (`server.emit('connection', stream)`), and gets at most this many bytes
 * per turn of the event loop.
 */
export const PIECE_BYTES = 1_024

/** Whether there is nothing but the line ends that may precede a request (RFC 9112 §2.2). */
export const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 13 || byte === 10)

export class Wire extends Duplex {
  /** Bytes that have arrived and wait to be parsed. Nothing more is read from the socket meanwhile. */
  private held: Buffer | undefined
  private isWaiting = false
  /** How many bytes were parsed. */
  parsed = 0

  private readonly socket: Socket
  private readonly room: () => number

  /** `room`: how many bytes may be parsed at once; none if what arrives is not executed. */
  constructor(socket: Socket, room: () => number) {
    super({ decodeStrings: false })
    this.socket = socket
    this.room = room
    Object.defineProperty(this, 'writableLength', { get: () => socket.writableLength })
    socket
      .on('data', (bytes: Buffer) => this.receive(bytes))
      .on('drain', () => {
        if (this.held === undefined) socket.resume()
        this.emit('drain')
      })
      .on('timeout', () => socket.destroy())
      .on('error', () => {})
      .on('close', () => this.destroy())
    this.on('resume', () => this.proceed())
  }

  /** Parses a piece of what has arrived, and keeps the rest. */
  private receive(bytes: Buffer): void {
    // Node's parser must get nothing of a closed connection: it may serve another one by now
    const room = this.destroyed || this.writableEnded ? 0 : this.room()
    if (room === 0) return
    if (this.isPaused()) {
      this.hold(bytes)
      return
    }
    const piece = bytes.subarray(0, room)
    this.parsed += piece.length
    this.emit('data', piece)
    if (bytes.length > room) this.hold(bytes.subarray(room))
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
      if (!this.hasHeld && !this.socket.writableNeedDrain) this.socket.resume()
    })
  }

  get hasHeld(): boolean {
    return this.held !== undefined
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
    // more requests would only wait
    if (!hasRoom) this.socket.pause()
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
