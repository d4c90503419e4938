// The exact value of a number in JSON (RFC 8259 §6). Needs no dependency.

/** No 64-bit integer has more digits. */
const MAX_DIGITS = 20

const PLAIN = /^-?(?:0|[1-9]\d{0,19})$/
const JSON_NUMBER = /^(-)?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const ZERO = 0x30

/** An integer of up to 20 digits in any notation: `1`, `1.0`, `1e2`. Linear in the length: an exponent never makes it build a long number. */
export const integerOf = (text: string): bigint | undefined => {
  if (PLAIN.test(text)) return BigInt(text)
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
 * A number if it holds the integer exactly, else a bigint. Any value that is not an integer of up to 20 digits becomes NaN if the
 * nearest double is a safe integer, because 4.0000000000000000001 must not pass for 4, else that double.
 */
export const exactNumber = (text: string): number | bigint => {
  const double = Number(text)
  // the double nearest to an integer is an integer
  const integer = Number.isInteger(double) ? integerOf(text) : undefined
  if (!Number.isSafeInteger(double)) return integer ?? double
  return integer === undefined ? Number.NaN : double
}
