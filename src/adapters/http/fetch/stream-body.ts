// A stream as the body of a Response: each part is made when the runtime asks for it.
import type { ReplyStream } from '../messages/message.js'

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
