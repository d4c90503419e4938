import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import {
  KEY_ID_BYTES,
  keyIdFrom,
  keyIdOf,
  keyTextFrom,
  mayHoldSecret,
  SECRET_BYTES,
  withoutSecrets,
} from '../../../src/domain/api-keys/api-key-text.js'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const keyText = () =>
  fc.tuple(bytes(KEY_ID_BYTES), bytes(SECRET_BYTES)).map(([id, secret]) => keyTextFrom(keyIdFrom(id), secret))
const numberIn = (text: string): bigint =>
  [...text].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n)
const bigEndian = (all: Uint8Array): bigint => BigInt(`0x${Buffer.from(all).toString('hex')}`)

const all = (value: number, length: number): Uint8Array => new Uint8Array(length).fill(value)
const smallest = keyTextFrom(keyIdFrom(all(0, 8)), all(0, 32))
const greatest = keyTextFrom(keyIdFrom(all(255, 8)), all(255, 32))

describe('keyTextFrom', () => {
  it('writes prefix, id, secret and the CRC-32 of all that, and loses no bit of id and secret [key-form]', () => {
    fc.assert(
      fc.property(bytes(8), bytes(32), (random, secret) => {
        const id = keyIdFrom(random)
        expect(numberIn(id)).toBe(bigEndian(random))
        const text = keyTextFrom(id, secret)
        expect(text).toMatch(/^ast_live_[0-9A-Za-z]{11}_[0-9A-Za-z]{49}$/)
        expect(text.startsWith(`ast_live_${id}_`)).toBe(true)
        expect(numberIn(text.slice(21, 64))).toBe(bigEndian(secret))
        expect(numberIn(text.slice(64))).toBe(BigInt(crc32(text.slice(0, 64))))
        expect(keyIdOf(text)).toStrictEqual(O.some(id))
      }),
    )
  })

  it('keeps its form, because keys are in use', () => {
    expect(smallest).toBe('ast_live_00000000000_00000000000000000000000000000000000000000004e1ppF')
    expect(greatest).toBe('ast_live_LygHa16AHYF_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp12GSPYk')
  })
})

describe('keyIdOf', () => {
  it('detects every change of a single character [key-form]', () => {
    fc.assert(
      fc.property(
        keyText(),
        fc.nat(69),
        fc.constantFrom(...Array.from(`${DIGITS}_- \u00e9`)),
        (text, at, character) => {
          fc.pre(text[at] !== character)
          expect(keyIdOf(text.slice(0, at) + character + text.slice(at + 1))).toStrictEqual(O.none)
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    ['nothing', ''],
    ['only a prefix', 'ast_live_'],
    ['another prefix', greatest.replace('live', 'test')],
    ['another case', greatest.toUpperCase()],
    ['a trailing space', `${greatest} `],
    ['a trailing line feed', `${greatest}\n`],
    ['two keys', `${greatest}${greatest}`],
    ['a key without its check', greatest.slice(0, -6)],
    ['a correct check after an id that is too short', keyTextFrom('0123456789', all(1, 32))],
    ['a correct check after an id with invalid characters', keyTextFrom('0123-456789', all(1, 32))],
    ['the check of another key', greatest.slice(0, -6) + smallest.slice(-6)],
  ])('refuses %s', (_, text) => {
    expect(keyIdOf(text)).toStrictEqual(O.none)
  })
})

describe('a text that a client sent', () => {
  it('loses every key, and whatever may be the secret of one', () => {
    fc.assert(
      fc.property(keyText(), (text) => {
        const secret = text.split('_').at(-1) ?? ''
        // random secrets contain both, but fast-check also generates all zeros
        fc.pre(/[a-z]/.test(secret) && /[A-Z]/.test(secret))
        for (const hidden of [text, text.toUpperCase(), secret]) {
          expect(mayHoldSecret(`/v1/${hidden}/x`)).toBe(true)
          expect(withoutSecrets(`/${hidden}/x/${hidden}`)).toBe('/(hidden)/x/(hidden)')
        }
      }),
    )
  })

  it.each(['', '/v1/pets/9223372036854775807', 'ast_test_1', 'aA9'.repeat(13), '0123456789abcdef'.repeat(4)])(
    'is shown if it holds none: %s',
    (text) => {
      expect(mayHoldSecret(text)).toBe(false)
      expect(withoutSecrets(text)).toBe(text)
    },
  )
})
