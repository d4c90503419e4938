// The exact value of a JSON number (RFC 8259 §6). Has no dependencies.

/** No 64-bit integer has more digits. */
const MAX_DIGITS = 20

const PLAIN = /^-?(?:0|[1-9]\d{0,19})$/
const JSON_NUMBER = /^(-)?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const ZERO = 0x30

/** An integer of up to 20 digits in any notation: `1`, `1.0`, `1e2`. Linear in the length, whatever the exponent. */
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
 * An integer of up to 20 digits: as a number if safe, else a bigint. Any other value: the nearest double, but NaN if
 * that is a safe integer, because 4.0000000000000000001 must not pass for 4.
 */
export const exactNumber = (text: string): number | bigint => {
  const double = Number(text)
  // the double nearest to an integer is an integer
  const integer = Number.isInteger(double) ? integerOf(text) : undefined
  if (!Number.isSafeInteger(double)) return integer ?? double
  return integer === undefined ? Number.NaN : double
}
