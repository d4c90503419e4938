// Reads the body of a fetch `Request`, and streams the body of a `Response`.
import * as E from 'fp-ts/lib/Either.js'
import { type Body, INCOMPLETE } from '../handle.js'
import { makeJoined } from '../messages/joined.js'

/** Leaves the rest of a body that is too large: cancelling it could close the connection before the response. */
export const readBody = async (request: Request, maxBytes: number): Promise<Body> => {
  const { body, headers, signal } = request
  const tooLarge: Body = E.left({ _tag: 'PayloadTooLarge', maxBytes })
  if (Number(headers.get('content-length') ?? 0) > maxBytes) return tooLarge
  if (request.bodyUsed || body?.locked === true)
    return E.left({
      _tag: 'Defect',
      cause: new Error('the body of the request was read before the handler was called'),
    })
  if (body === null) return E.right(new Uint8Array())
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const joined = makeJoined(maxBytes)
  // some runtimes do not end the stream of a request when its client leaves
  const stop = (): void => void reader.cancel().catch(() => undefined)
  const isGone = (): boolean => signal.aborted
  signal.addEventListener('abort', stop)
  try {
    while (!isGone()) {
      const { done, value } = await reader.read()
      if (!done && !joined.add(value)) return tooLarge
      if (done && !isGone()) return E.right(joined.bytes())
    }
    return INCOMPLETE
  } catch {
    // the client left in the middle of the body
    return INCOMPLETE
  } finally {
    signal.removeEventListener('abort', stop)
    reader.releaseLock()
  }
}

/** Calls `onEnd` once, with the number of bytes, when the source ends or the reader leaves; `onError` if it throws. */
export const streamBody = (
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  onEnd: (bytes: number) => void,
  onError: (cause: unknown) => void,
): ReadableStream<Uint8Array> => {
  const parts = source[Symbol.asyncIterator]()
  let bytes = 0
  let hasEnded = false
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    signal.removeEventListener('abort', end)
    void parts.return?.()
    onEnd(bytes)
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) end()

  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const part = await parts.next()
      // the reader may have left meanwhile
      if (part.done !== true && !hasEnded) {
        bytes += part.value.length
        controller.enqueue(part.value)
        return
      }
    } catch (cause) {
      onError(cause)
      end()
      throw cause
    }
    end()
    controller.close()
  }

  // highWaterMark 0: no part is made before it is read
  return new ReadableStream<Uint8Array>({ pull, cancel: end }, { highWaterMark: 0 })
}
