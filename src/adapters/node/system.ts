// Node's clock, randomness and hashing.
import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../ports/clock.js'
import type { Crypto } from '../../ports/crypto.js'

export const systemClock: Clock = { now: Date.now, monotonicMs: () => performance.now() }

const isEqual = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Node concatenates 20 strings; reading a character flattens them, so a stored UUID takes 52 bytes instead of 700. */
const flatUuid = (): string => {
  const uuid = randomUUID()
  uuid.charCodeAt(0)
  return uuid
}

export const nodeCrypto: Crypto = {
  uuid: flatUuid,
  randomBytes,
  sha256: (text) => hash('sha256', text),
  isEqual,
}
