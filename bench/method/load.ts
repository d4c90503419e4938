// The load: a fixed number of connections. Each sends its next request once it has the whole answer.
// It has its own client, because a general one saturates its core before the server does.
import { connect, type Socket } from 'node:net'
import { withDeadline } from './deadline.js'

const PATIENCE_MS = 20_000
const READ_BYTES = 65_536

export interface Round {
  readonly requests: number
  readonly seconds: number
  readonly latenciesMs: readonly number[]
}

export interface Load {
  /** Keeps all connections busy for this time; resolves when the last answer has arrived. */
  readonly run: (milliseconds: number) => Promise<Round>
  readonly close: () => void
}

/** Calls `answered` with the head of each answer once the whole body has arrived. */
const readAnswers = (answered: (head: string) => void): ((size: number, buffer: Buffer) => boolean) => {
  let head = ''
  let rest = 0
  return (size, buffer) => {
    if (rest > 0) {
      rest -= size
    } else {
      head += buffer.toString('latin1', 0, size)
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return true
      const length = /content-length: (\d+)/i.exec(head)?.[1] ?? 0
      rest = end + 4 + Number(length) - head.length
    }
    if (rest === 0) {
      const whole = head
      head = ''
      answered(whole)
    }
    return true
  }
}

const openSocket = async (port: number, answered: (head: string) => void): Promise<Socket> => {
  const callback = readAnswers(answered)
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer, callback } })
  await withDeadline(
    new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)),
    PATIENCE_MS,
    'a connection',
  )
  return socket
}

/** A round fails if any answer has another status. */
export const openLoad = async (
  port: number,
  requests: readonly Buffer[],
  status: number,
  connections: number,
): Promise<Load> => {
  const wanted = `HTTP/1.1 ${status} `
  let latenciesMs: number[] = []
  let until = 0
  let busy = 0
  let sent = 0
  let failure: Error | undefined
  let interrupt: (error: Error) => void = () => {}
  const fail = (error: Error): void => {
    failure ??= error
    interrupt(error)
  }
  let finish: () => void = () => {}

  const call = async (): Promise<{ readonly socket: Socket; readonly send: () => void }> => {
    let sentAt = 0
    const send = (): void => {
      sentAt = performance.now()
      const request = requests[sent % requests.length]
      sent += 1
      if (request !== undefined) socket.write(request)
    }
    const answered = (head: string): void => {
      const now = performance.now()
      latenciesMs.push(now - sentAt)
      if (!head.startsWith(wanted)) fail(new Error(`wanted ${status}, got ${head.slice(0, 1_000)}`))
      else if (now < until) send()
      else if (--busy === 0) finish()
    }
    const socket = await openSocket(port, answered)
    socket.on('error', (error) => fail(error))
    socket.on('close', () => fail(new Error('the server closed a connection')))
    return { socket, send }
  }
  const callers = await Promise.all(Array.from({ length: connections }, call))

  const run = async (milliseconds: number): Promise<Round> => {
    if (failure !== undefined) throw failure
    latenciesMs = []
    busy = connections
    const begin = performance.now()
    until = begin + milliseconds
    const done = new Promise<void>((resolve, reject) => {
      finish = resolve
      interrupt = reject
    })
    for (const { send } of callers) send()
    await withDeadline(done, milliseconds + PATIENCE_MS, 'a round')
    return { requests: latenciesMs.length, seconds: (performance.now() - begin) / 1_000, latenciesMs }
  }

  const close = (): void => {
    interrupt = () => {}
    for (const { socket } of callers) socket.destroy()
  }
  return { run, close }
}
