/** Randomness and hashing, which the pure domain cannot do itself. */
export interface Crypto {
  /** A random UUID (RFC 9562, version 4). */
  readonly uuid: () => string
  /** Random bytes, suitable for secrets. */
  readonly randomBytes: (count: number) => Uint8Array
  /** SHA-256 of the UTF-8 text, in hexadecimal. */
  readonly sha256: (text: string) => string
  /** Whether two texts are equal, in time that depends only on their lengths. */
  readonly isEqual: (one: string, other: string) => boolean
}
