// The text of an API key: ast_live_<keyId>_<secret><check>. Leak scanners know the prefix; the check detects typos.
import * as O from 'fp-ts/lib/Option.js'

const API_KEY_PREFIX = 'ast_live_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(DIGITS.length)

export const KEY_ID_BYTES = 8
export const SECRET_BYTES = 32
// 62^11 > 2^64, 62^43 > 2^256 and 62^6 > 2^32
const KEY_ID_LENGTH = 11
const SECRET_LENGTH = 43
const CHECK_LENGTH = 6

const base62 = (value: bigint, length: number): string => {
  let text = ''
  for (let rest = value; rest > 0n; rest /= BASE) text = DIGITS.charAt(Number(rest % BASE)) + text
  return text.padStart(length, '0')
}

const bigEndian = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)

/** CRC-32 (ISO 3309) of an ASCII text. Detects every change of up to four consecutive characters. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

const checkOf = (text: string): string => base62(BigInt(crc32(text)), CHECK_LENGTH)

const FORM = new RegExp(
  `^${API_KEY_PREFIX}([0-9A-Za-z]{${KEY_ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}}[0-9A-Za-z]{${CHECK_LENGTH}}$`,
)

const IN_ANY_CASE = API_KEY_PREFIX.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

/**
 * Matches an API key, or a text that may be its secret, so that one sent in the wrong place is never shown. A secret
 * mixes small and capital letters (all but one in 10^11); long request ids, such as hexadecimal ones, do not.
 */
const SECRET = new RegExp(`${IN_ANY_CASE}\\w*|\\b(?=\\w*[a-z])(?=\\w*[A-Z])\\w{40,}`, 'g')

export const mayHoldSecret = (text: string): boolean => text.search(SECRET) !== -1

/** Hides keys and secrets in a text that quotes input. */
export const withoutSecrets = (text: string): string => text.replaceAll(SECRET, '(hidden)')

export const keyIdFrom = (random: Uint8Array): string => base62(bigEndian(random), KEY_ID_LENGTH)

export const keyTextFrom = (id: string, random: Uint8Array): string => {
  const text = `${API_KEY_PREFIX}${id}_${base62(bigEndian(random), SECRET_LENGTH)}`
  return text + checkOf(text)
}

/** The id in a text with the form of a key, whether or not its check matches. */
export const claimedKeyIdOf = (text: string): O.Option<string> => O.fromNullable(FORM.exec(text)?.[1])

/** The key's id, if the text has the form of a key and its check matches. Other texts need no look-up. */
export const keyIdOf = (text: string): O.Option<string> => {
  const id = claimedKeyIdOf(text)
  return O.isSome(id) && checkOf(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH) ? id : O.none
}
