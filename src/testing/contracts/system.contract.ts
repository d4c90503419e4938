// The contracts of a clock, of randomness and of hashing.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../ports/clock.js'
import type { Crypto } from '../../ports/crypto.js'

const CALLS = 10_000
const PAUSE_MS = 50
/** A timer of Node may fire a millisecond early; one on a busy machine, long after its time. */
const [SHORTEST_MS, LONGEST_MS] = [PAUSE_MS - 5, 400 * PAUSE_MS]

const fromYear = (year: number): number => Date.UTC(year, 0)

/** The vitest suite for a clock that shows the real time. */
export const clockContract = (name: string, clock: Clock): void => {
  describe(`Clock: ${name}`, () => {
    it('shows the present in whole milliseconds', () => {
      const shown = Array.from({ length: CALLS }, () => clock.now())
      expect(shown.filter((now) => !Number.isInteger(now))).toStrictEqual([])
      // a count of seconds or microseconds is outside
      expect(shown.filter((now) => now < fromYear(2020) || now >= fromYear(10_000))).toStrictEqual([])
    })

    it('has a monotonic time that never steps back', () => {
      const shown = Array.from({ length: CALLS }, () => clock.monotonicMs())
      expect(shown.every(Number.isFinite)).toBe(true)
      expect(shown).toStrictEqual(shown.toSorted((one, other) => one - other))
    })

    it('measures a pause in milliseconds', async () => {
      const start = clock.monotonicMs()
      await pause(PAUSE_MS)
      const elapsedMs = clock.monotonicMs() - start
      expect(elapsedMs).toBeGreaterThan(SHORTEST_MS)
      expect(elapsedMs).toBeLessThan(LONGEST_MS)
    })
  })
}

/** RFC 9562 §5.4: version 4, and the variant of that RFC. */
const UUID_4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

const hexadecimal = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export const cryptoContract = (name: string, crypto: Crypto): void => {
  describe(`Crypto: ${name}`, () => {
    it('makes distinct UUIDs of version 4', () => {
      const made = Array.from({ length: 1_000 }, () => crypto.uuid())
      expect(made.filter((uuid) => !UUID_4.test(uuid))).toStrictEqual([])
      expect(new Set(made).size).toBe(1_000)
    })

    it.each([0, 1, 4, 32, 4_096])('makes %d random bytes', (count) => {
      const bytes = crypto.randomBytes(count)
      expect(bytes).toBeInstanceOf(Uint8Array)
      expect(bytes).toHaveLength(count)
    })

    it('makes other random bytes with every call', () => {
      const made = Array.from({ length: 1_000 }, () => hexadecimal(crypto.randomBytes(16)))
      expect(new Set(made).size).toBe(1_000)
    })

    it('makes bytes of every value', () => {
      // random bytes lack one with a probability below 10^-50
      expect(new Set(crypto.randomBytes(32_768)).size).toBe(256)
    })

    it.each([
      ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      // FIPS 180-4, example B.1
      ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
      ['Å\u{1f436}', 'db6f7f9e9272229c25602bbda178294cd6361d5a84af6f6b5c098e369fa7bffd'],
    ])('knows the SHA-256 of %j, in hexadecimal', (text, hash) => {
      expect(crypto.sha256(text)).toBe(hash)
    })

    it.each<readonly [string, string, boolean]>([
      ['', '', true],
      ['abc', 'abc', true],
      ['Å\u{1f436}', 'Å\u{1f436}', true],
      ['abc', 'abd', false],
      ['abc', 'Abc', false],
      ['abc', 'ab', false],
      ['abc', 'abcd', false],
      ['', 'a', false],
      ['a', '', false],
      // as many characters, but not as many bytes; and one character in two forms
      ['a', 'Å', false],
      ['Å', 'A\u030a', false],
    ])('compares %j and %j: %s', (one, other, isEqual) => {
      expect(crypto.isEqual(one, other)).toBe(isEqual)
    })
  })
}
