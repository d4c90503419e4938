// Randomness and hashing with Node's own library.
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Crypto } from '../../ports/crypto.js'

const isEqual = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const nodeCrypto: Crypto = {
  uuid: randomUUID,
  randomBytes,
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  isEqual,
}
