// Bodies of the Fetch standard: that of a request as bytes, within its limit, and a stream as that of a response.
import * as E from 'fp-ts/lib/Either.js'
import type { HttpFailure } from '../failures.js'
import { makeJoined } from '../messages/joined.js'
import type { ReplyStream } from '../messages/message.js'
import type { Body } from '../respond.js'

const incomplete = E.left<HttpFailure>({ _tag: 'BadRequest', reason: 'the body did not arrive whole' })

/** The rest of a body that is too large is left to the runtime: cancelling it could close the connection before the response. */
export const readBody = async (request: Request, maxBytes: number): Promise<Body> => {
  const { body, headers, signal } = request
  const tooLarge = E.left<HttpFailure>({ _tag: 'PayloadTooLarge', maxBytes })
  if (Number(headers.get('content-length') ?? 0) > maxBytes) return tooLarge
  if (request.bodyUsed || body?.locked === true)
    return E.left({
      _tag: 'Defect',
      cause: new Error('the body of the request was read before the handler was called'),
    })
  if (body === null) return E.right(new Uint8Array())
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const joined = makeJoined(maxBytes)
  // the stream of a request need not know that its client is gone
  const stop = (): void => void reader.cancel().catch(() => undefined)
  const isGone = (): boolean => signal.aborted
  signal.addEventListener('abort', stop)
  try {
    while (!isGone()) {
      const { done, value } = await reader.read()
      if (!done && !joined.add(value)) return tooLarge
      if (done && !isGone()) return E.right(joined.bytes())
    }
    return incomplete
  } catch {
    return incomplete
  } finally {
    signal.removeEventListener('abort', stop)
    reader.releaseLock()
  }
}

/** `onEnd` is called once, with the number of bytes, when the stream has ended or its reader has left. */
export const streamBody = (
  { parts, close }: ReplyStream,
  signal: AbortSignal,
  onEnd: (bytes: number) => void,
): ReadableStream<Uint8Array> => {
  let bytes = 0
  let hasEnded = false
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    signal.removeEventListener('abort', end)
    close()
    onEnd(bytes)
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) end()

  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const { done, value } = await parts.next()
      if (done !== true) {
        bytes += value.length
        controller.enqueue(value)
        return
      }
    } catch (cause) {
      end()
      throw cause
    }
    end()
    controller.close()
  }

  // nothing is made ahead
  return new ReadableStream<Uint8Array>({ pull, cancel: end }, { highWaterMark: 0 })
}
