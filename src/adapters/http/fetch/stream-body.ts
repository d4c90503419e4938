// The body of a fetch `Response` that is made while its client reads it.

/** `onEnd` is called once, with the number of bytes, when the source has ended or its reader has left; `onError` with what it threw. */
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
      if (part.done !== true) {
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

  // nothing is made ahead
  return new ReadableStream<Uint8Array>({ pull, cancel: end }, { highWaterMark: 0 })
}
