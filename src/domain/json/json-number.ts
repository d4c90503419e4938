// The numbers of JSON (RFC 8259 §6), exact where they are integers.

/** Every integer of 64 bits has as many digits or fewer, with a sign or without. */
const MAX_DIGITS = 20

const JSON_NUMBER = /^(-)?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const ZERO = 0x30

/**
 * The integer of up to 20 digits that the text of a JSON number stands for, however it is written: `1`, `1.0`, `1e2`.
 * Linear in the length of the text: no exponent makes it build a long number.
 */
export const integerOf = (text: string): bigint | undefined => {
  const match = JSON_NUMBER.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  let start = 0
  while (digits.charCodeAt(start) === ZERO) start += 1
  if (start === digits.length) return 0n
  let end = digits.length
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1
  const zeros = Number(exponent) - fraction.length + (digits.length - end)
  const fits = zeros >= 0 && end - start + zeros <= MAX_DIGITS
  return fits ? BigInt(sign + digits.slice(start, end) + '0'.repeat(zeros)) : undefined
}

/**
 * A number if it holds the integer exactly, else a bigint. Whatever is not an integer of up to 20 digits becomes the nearest
 * double, or NaN if that is a safe integer: nobody can mistake 4.0000000000000000001 for 4.
 */
export const exactNumber = (text: string): number | bigint => {
  const double = Number(text)
  // the double nearest to an integer is one
  const integer = Number.isInteger(double) ? integerOf(text) : undefined
  if (!Number.isSafeInteger(double)) return integer ?? double
  return integer === undefined ? Number.NaN : double
}

/** Any text of this length, with a sign or without, is exact as a double. */
const EXACT_LENGTH = 15

/** The same for digits alone, after a sign or not. */
export const exactInteger = (text: string): number | bigint => {
  if (text.length <= EXACT_LENGTH) return Number(text)
  if (text.length > MAX_DIGITS) return exactNumber(text)
  const integer = BigInt(text)
  const double = Number(integer)
  return Number.isSafeInteger(double) ? double : integer
}
