// One connection to a stream of Server-Sent Events (WHATWG HTML §9.2), by `fetch`: EventSource cannot send the API key.
import type { ClientError } from './client-error.js'
import { inTime, LATE, type Runtime } from './platform.js'
import { type Call, type Caller, failureOf, readReply, requestOf } from './send.js'

export interface Block {
  readonly id: string | undefined
  /** Empty if the block only sets a position or a retry time. */
  readonly data: string
}

export interface Ended {
  readonly error: ClientError
  /** Whether something in between seems to block streams, or the service accepts no more of them. */
  readonly isHopeless: boolean
}

/** Limit of silence; the service repeats its position every 15 s. */
const SILENCE_MS = 45_000

const blockOf = (text: string): Block => {
  const data: string[] = []
  let id: string | undefined
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf(':')
    const value = line.slice(at + 1).replace(/^ /, '')
    if (line.startsWith('id:')) id = value
    else if (line.startsWith('data:')) data.push(value)
  }
  return { id, data: data.join('\n') }
}

/** Yields blocks until the connection ends, and then the reason. Never throws. */
export async function* listen(
  caller: Pick<Caller, 'apiKey' | 'requests' | 'attemptTimeoutMs' | keyof Runtime>,
  call: Call,
  signal: AbortSignal,
): AsyncGenerator<Block | Ended, void> {
  const { attemptTimeoutMs, platform } = caller
  const controller = new AbortController()
  const close = (): void => controller.abort()
  // also while the consumer is busy
  signal.addEventListener('abort', close)
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let hasBegun = false
  const limitMs = (): number => (hasBegun ? SILENCE_MS : attemptTimeoutMs)
  const wait = <A>(work: () => Promise<A>): Promise<A> => inTime(caller, limitMs(), signal, work)
  const ended = (cause: unknown, isBlocked: boolean): Ended => ({
    error: failureOf(cause, limitMs(), signal),
    isHopeless: isBlocked && !hasBegun,
  })

  try {
    const response = await wait(async () => platform.fetch(requestOf(call, caller, controller.signal)))
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true
    if (!isStream || response.body === null) {
      const text = await wait(() => response.text())
      const reply = readReply(response, text)
      if (reply.ok || (response.ok && text === '')) yield ended('the reply is not a stream', true)
      else yield { error: reply.error, isHopeless: reply.error._tag === 'unavailable' }
      return
    }
    const body: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
    reader = body
    const decoder = new TextDecoder()
    for (let text = ''; ; ) {
      const { done, value } = await wait(() => body.read())
      if (done) break
      const blocks = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        signal.throwIfAborted()
        hasBegun = true
        yield blockOf(block)
      }
    }
    yield ended('the stream has ended', true)
  } catch (cause) {
    yield ended(cause, cause === LATE)
  } finally {
    signal.removeEventListener('abort', close)
    close()
    // an error of the cancelled body does not matter any more
    reader?.cancel().catch(() => {})
  }
}
