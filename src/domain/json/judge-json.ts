// Scans a JSON text once before it is parsed. Refuses deep nesting and duplicate names, which parsers accept, and finds out
// whether a parser of doubles keeps every digit. Leaves the grammar to the parser.

/** Levels of nesting; the outermost object is the first. */
const MAX_DEPTH = 64
/** Two decimal numbers of this many digits never share a double (IEEE 754): each is read back as itself. */
const EXACT_DIGITS = 15

const QUOTE = 0x22
const COMMA = 0x2c
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const UPPER_E = 0x45
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_E = 0x65
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

export interface JsonVerdict {
  /** Why the text is refused although it may be well-formed. */
  readonly fault: string | undefined
  /** Whether every number has few digits and no exponent, so that no digit is lost in a double. */
  readonly isExactInDoubles: boolean
}

/** The codes of the characters of a text, at the same places. */
type Codes = Uint8Array | Uint16Array

const utf8 = new TextEncoder()

/**
 * As numbers in memory, because a loop over the characters of a string takes twice as long. `utf8Bytes`, if they are known, spare
 * the encoding, which takes 1 µs even of a short text.
 */
const codesOf = (text: string, utf8Bytes: Uint8Array = utf8.encode(text)): Codes => {
  // as many bytes as characters: the text is ASCII
  if (utf8Bytes.length === text.length) return utf8Bytes
  const codes = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) codes[at] = text.charCodeAt(at)
  return codes
}

/** The index of the quote that closes the string opened at `start`, or -1. */
const closingQuote = (codes: Codes, start: number): number => {
  for (let at = start + 1; at < codes.length; at += 1) {
    const code = codes[at]
    if (code === QUOTE) return at
    // skips an escaped character, which may be a quote
    if (code === BACKSLASH) at += 1
  }
  return -1
}

/** The name with its escapes decoded. The parser rejects malformed ones. */
const nameIn = (literal: string): string => {
  if (!literal.includes('\\')) return literal
  try {
    return JSON.stringify(JSON.parse(literal))
  } catch {
    return literal
  }
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

/** The names of one object. Only the place of the first is kept, because most objects in a long text have one or two names. */
interface Names {
  /** -1: none yet. */
  start: number
  end: number
  others: Set<string> | undefined
}

/** Records the name between these places. Returns it if the object already has it. */
const duplicateOf = (names: Names, text: string, start: number, end: number): string | undefined => {
  if (names.start === -1) {
    names.start = start
    names.end = end
    return undefined
  }
  names.others ??= new Set([nameIn(text.slice(names.start, names.end))])
  const name = nameIn(text.slice(start, end))
  if (names.others.has(name)) return name
  names.others.add(name)
  return undefined
}

const refused = (fault: string): JsonVerdict => ({ fault, isExactInDoubles: false })

export const judgeJson = (text: string, utf8Bytes?: Uint8Array): JsonVerdict => {
  const codes = codesOf(text, utf8Bytes)
  // the names seen in each open object; an array has none
  const open: (Names | undefined)[] = []
  let isNameNext = false
  let isExactInDoubles = true
  let digits = 0
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number
    if (isDigit(code)) {
      digits += 1
      if (digits > EXACT_DIGITS) isExactInDoubles = false
      continue
    }
    // a fraction of so few digits never rounds to an integer
    if (code === DOT) continue
    switch (code) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        isNameNext = code === OPEN_BRACE
        open.push(isNameNext ? { start: -1, end: -1, others: undefined } : undefined)
        if (open.length > MAX_DEPTH) return refused(`it has more than ${MAX_DEPTH} levels`)
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop()
        isNameNext = false
        break
      case COMMA:
        isNameNext = open[open.length - 1] !== undefined
        break
      case LOWER_E:
      case UPPER_E:
        // not the `e` of true and false
        if (digits > 0) isExactInDoubles = false
        break
      case QUOTE: {
        const end = closingQuote(codes, at)
        if (end === -1) return { fault: undefined, isExactInDoubles }
        const names = isNameNext ? open[open.length - 1] : undefined
        const duplicate = names && duplicateOf(names, text, at, end + 1)
        if (duplicate !== undefined) return refused(`the name ${duplicate.slice(0, 64)} appears twice in one object`)
        isNameNext = false
        at = end
      }
    }
    digits = 0
  }
  return { fault: undefined, isExactInDoubles }
}
