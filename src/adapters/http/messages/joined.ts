// Joins the chunks of a body in one growing buffer.

export interface Joined {
  /** False, and nothing is added, if there would be more than the limit. */
  readonly add: (chunk: Uint8Array) => boolean
  readonly bytes: () => Uint8Array
}

/** Takes at most twice the limit, however many chunks there are. A lone chunk is not copied. */
export const makeJoined = (maxBytes: number): Joined => {
  let buffer: Uint8Array = new Uint8Array()
  let size = 0
  return {
    add: (chunk) => {
      const needed = size + chunk.length
      if (needed > maxBytes) return false
      if (size === 0) {
        buffer = chunk
      } else {
        if (needed > buffer.length) {
          const grown = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * buffer.length)))
          grown.set(buffer.subarray(0, size))
          buffer = grown
        }
        buffer.set(chunk, size)
      }
      size = needed
      return true
    },
    bytes: () => buffer.subarray(0, size),
  }
}
