// One connection to a stream of Server-Sent Events (WHATWG HTML §9.2), read by `fetch`, which can send the API key.
import { aborted, type Call, readReply, requestOf } from './attempt.js'
import type { ClientError } from './client-error.js'
import { inTime, LATE, type Platform } from './platform.js'

export interface Block {
  readonly id: string | undefined
  /** Empty: the block only gives a position or a time. */
  readonly data: string
}

/** Why a connection has ended. */
export interface Ended {
  readonly error: ClientError
  /** Whether the way to the service seems to pass no streams on, or the service has no room for one more. */
  readonly isHopeless: boolean
}

export interface ListenSettings {
  readonly apiKey: string
  readonly signal: AbortSignal
  /** Limit for the first block. */
  readonly firstMs: number
}

/** The service repeats its position after 15 s. */
const SILENCE_MS = 45_000

const blockOf = (text: string): Block => {
  const data: string[] = []
  let id: string | undefined
  for (const line of text.split('\n')) {
    const at = line.indexOf(':')
    const value = line.slice(at + 1).replace(/^ /, '')
    if (line.startsWith('id:')) id = value
    else if (line.startsWith('data:')) data.push(value)
  }
  return { id, data: data.join('\n') }
}

const network = (message: string, cause?: unknown): ClientError => ({ _tag: 'network', message, cause })

/** Yields blocks until the connection ends, and then the reason. Never throws. */
export async function* listen(
  { fetch, now, schedule }: Pick<Platform, 'fetch' | 'now' | 'schedule'>,
  call: Call,
  { apiKey, signal, firstMs }: ListenSettings,
): AsyncGenerator<Block | Ended, void> {
  const controller = new AbortController()
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let hasBegun = false
  const wait = <A>(work: () => Promise<A>): Promise<A> =>
    inTime(schedule, hasBegun ? SILENCE_MS : firstMs, signal, work)

  try {
    const request = requestOf(call, apiKey, AbortSignal.any([controller.signal, signal]))
    if (!request.ok) {
      yield { error: request.error, isHopeless: false }
      return
    }
    const response = await wait(() => fetch(request.value))
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true
    if (!isStream || response.body === null) {
      const reply = readReply(response, await wait(() => response.text()), now())
      const error = reply.ok ? network('the reply is not a stream') : reply.error
      yield { error, isHopeless: reply.ok || error._tag === 'unavailable' }
      return
    }
    const body: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
    reader = body
    const decoder = new TextDecoder()
    for (let text = ''; ; ) {
      const { done, value } = await wait(() => body.read())
      if (done) break
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        hasBegun = true
        yield blockOf(block)
      }
    }
    yield { error: network('the stream has ended'), isHopeless: !hasBegun }
  } catch (cause) {
    const isLate = cause === LATE
    if (signal.aborted) yield { error: aborted(signal), isHopeless: false }
    else {
      const error = network(isLate ? 'the stream is silent' : String(cause), cause)
      yield { error, isHopeless: isLate && !hasBegun }
    }
  } finally {
    controller.abort()
    // the events have been read or given up, and the request is aborted
    reader?.cancel().catch(() => {})
  }
}
