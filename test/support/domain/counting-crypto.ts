// Predictable randomness: every byte of the n-th random value is n. Hashing is real.
import { nodeCrypto } from '../../../src/adapters/node/system.js'
import type { Crypto } from '../../../src/ports/crypto.js'

export const countedBytes = (n: number, count: number): Uint8Array => new Uint8Array(count).fill(n)

export const countedUuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export const makeCountingCrypto = (): Crypto => {
  let pieces = 0
  const next = (): number => {
    pieces += 1
    return pieces
  }
  return {
    ...nodeCrypto,
    uuid: () => countedUuid(next()),
    randomBytes: (count) => countedBytes(next(), count),
  }
}
