// Where the tokens of a JSON text end (RFC 8259). Works on an array of character codes: `charCodeAt` in the loops takes twice as
// long.

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const PLUS = 0x2b
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const BACKSLASH = 0x5c
const LOWER_A = 0x61
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74
const LOWER_U = 0x75

/** Makes a letter of ASCII lower case. */
const TO_LOWER = 0x20

/** The codes of the characters of a text, at the same places. */
export type Codes = Uint8Array | Uint16Array

const utf8 = new TextEncoder()

export const codesOf = (text: string): Codes => {
  const utf8Bytes = utf8.encode(text)
  // as many bytes as characters: the text is ASCII
  if (utf8Bytes.length === text.length) return utf8Bytes
  const codes = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) codes[at] = text.charCodeAt(at)
  return codes
}

/** The code at a place, or 0 past the end: no token contains 0. */
export const codeAt = (codes: Codes, at: number): number => (at < codes.length ? (codes[at] as number) : 0)

/** The place of the next character that is not white space. */
export const afterSpace = (codes: Codes, start: number): number => {
  let at = start
  for (;;) {
    const code = codeAt(codes, at)
    if (code > SPACE) return at
    if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return at
    at += 1
  }
}

const isHexDigit = (code: number): boolean =>
  isDigit(code) || ((code | TO_LOWER) >= LOWER_A && (code | TO_LOWER) <= LOWER_F)

const ONE_CHARACTER_ESCAPES: ReadonlySet<number> = new Set(
  Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)),
)

/** The number of characters of the escape that starts with the backslash at `at`; 0 if there is no such escape. */
const escapeLength = (codes: Codes, at: number): number => {
  const code = codeAt(codes, at + 1)
  if (ONE_CHARACTER_ESCAPES.has(code)) return 2
  if (code !== LOWER_U) return 0
  for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHexDigit(codeAt(codes, digit))) return 0
  return 6
}

/** After the string whose opening quote is at `open`, or the complement (`~`) of the place where it stops being one. */
export const endOfString = (codes: Codes, open: number): number => {
  for (let at = open + 1; at < codes.length; at += 1) {
    const code = codes[at] as number
    if (code === QUOTE) return at + 1
    if (code < SPACE) return ~at
    if (code === BACKSLASH) {
      const length = escapeLength(codes, at)
      if (length === 0) return ~at
      at += length - 1
    }
  }
  return ~codes.length
}

/** The string that is well-formed and written like this between its quotes. */
export const stringOf = (written: string): string =>
  written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

/** After the digits that begin at `start`; `start` if there are none. */
const endOfDigits = (codes: Codes, start: number): number => {
  let at = start
  while (isDigit(codeAt(codes, at))) at += 1
  return at
}

/** After the integer that begins at `start`; `start` if there is none. */
export const endOfInteger = (codes: Codes, start: number): number => {
  const first = codeAt(codes, start) === MINUS ? start + 1 : start
  if (codeAt(codes, first) === ZERO) return first + 1
  const end = endOfDigits(codes, first)
  return end === first ? start : end
}

/** After the fraction and the exponent of the number whose integer ends at `start`; `start` if it has none. */
export const endOfFraction = (codes: Codes, start: number): number => {
  let end = start
  if (codeAt(codes, start) === DOT) {
    end = endOfDigits(codes, start + 1)
    if (end === start + 1) return start
  }
  if ((codeAt(codes, end) | TO_LOWER) !== LOWER_E) return end
  const sign = codeAt(codes, end + 1)
  const exponent = sign === PLUS || sign === MINUS ? end + 2 : end + 1
  const last = endOfDigits(codes, exponent)
  return last === exponent ? end : last
}

/** By their first characters. */
const CONSTANTS: Readonly<Partial<Record<number, string>>> = {
  [LOWER_T]: 'true',
  [LOWER_F]: 'false',
  [LOWER_N]: 'null',
}

/** After the `true`, `false` or `null` that begins at `start`; `start` if there is none. */
export const endOfConstant = (codes: Codes, start: number): number => {
  const constant = CONSTANTS[codeAt(codes, start)] ?? ''
  for (let at = 0; at < constant.length; at += 1) {
    if (codeAt(codes, start + at) !== constant.charCodeAt(at)) return start
  }
  return start + constant.length
}
