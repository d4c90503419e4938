// Scans a JSON text once before it is parsed. Refuses deep nesting and duplicate names, which parsers accept, and finds out
// whether a parser of doubles keeps every digit. Leaves the grammar to the parser.

/** Levels of nesting; the outermost object is the first. */
const MAX_DEPTH = 64
/** A double holds every integer of this many digits: 10^15 < 2^53. */
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
  /** Whether every number is a short run of digits, so that no digit is lost in a double. */
  readonly isExactInDoubles: boolean
}

/** The index of the quote that closes the string opened at `start`, or -1. */
export const closingQuote = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
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

/** The names of one object. The first is stored separately, because most objects in a long text have one or two. */
interface Names {
  first: string | undefined
  others: Set<string> | undefined
}

/** Records the name; false if the object already has it. */
const note = (names: Names, name: string): boolean => {
  if (names.first === undefined) {
    names.first = name
    return true
  }
  names.others ??= new Set()
  if (names.first === name || names.others.has(name)) return false
  names.others.add(name)
  return true
}

const refused = (fault: string): JsonVerdict => ({ fault, isExactInDoubles: false })

export const judgeJson = (text: string): JsonVerdict => {
  // the names seen in each open object; an array has none
  const open: (Names | undefined)[] = []
  let isNameNext = false
  let isExactInDoubles = true
  let digits = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) {
      digits += 1
      if (digits > EXACT_DIGITS) isExactInDoubles = false
      continue
    }
    switch (code) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        isNameNext = code === OPEN_BRACE
        open.push(isNameNext ? { first: undefined, others: undefined } : undefined)
        if (open.length > MAX_DEPTH) return refused(`it has more than ${MAX_DEPTH} levels`)
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop()
        isNameNext = false
        break
      case COMMA:
        isNameNext = open.at(-1) !== undefined
        break
      case DOT:
        isExactInDoubles = false
        break
      case LOWER_E:
      case UPPER_E:
        // not the `e` of true and false
        if (digits > 0) isExactInDoubles = false
        break
      case QUOTE: {
        const end = closingQuote(text, at)
        if (end === -1) return { fault: undefined, isExactInDoubles }
        const names = isNameNext ? open.at(-1) : undefined
        if (names !== undefined) {
          const name = nameIn(text.slice(at, end + 1))
          if (!note(names, name)) return refused(`the name ${name.slice(0, 64)} appears twice in one object`)
        }
        isNameNext = false
        at = end
      }
    }
    digits = 0
  }
  return { fault: undefined, isExactInDoubles }
}
