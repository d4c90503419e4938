// Splits bytes into lines; refuses invalid UTF-8.
import * as E from 'fp-ts/lib/Either.js'

const LINE_FEED = 0x0a

/** The longest line that is read, in bytes: a hundred times that of the longest pet. */
const MAX_LINE_BYTES = 1_048_576

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decode = (bytes: Uint8Array): E.Either<string, string> =>
  E.tryCatch(
    () => utf8.decode(bytes),
    () => 'it is not valid UTF-8',
  )

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<E.Either<string, string>> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      yield decode(bytes.subarray(start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > MAX_LINE_BYTES) {
      yield E.left(`it is longer than ${MAX_LINE_BYTES} bytes`)
      return
    }
  }
  if (rest.length > 0) yield decode(rest)
}

/** Each line without its line feed, or why it cannot be read; the last one may lack its line feed. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<E.Either<string, string>> {
  try {
    yield* linesOf(chunks)
  } catch (error) {
    yield E.left(`it cannot be read: ${E.toError(error).message}`)
  }
}
