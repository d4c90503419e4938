// Scans a JSON text once before it is parsed. Refuses deep nesting and duplicate names, which parsers accept, and finds out
// whether a parser of doubles keeps every digit. Leaves the grammar to the parser.

/** Levels of nesting; the outermost object is the first. */
const MAX_DEPTH = 64
/** Two decimal numbers of this many digits never share a double (IEEE 754): each is read back as itself. */
const EXACT_DIGITS = 15
/** Characters of a name in a message. */
const SHOWN = 64

const QUOTE = 0x22
const COMMA = 0x2c
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
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
 * As numbers in memory, because a loop over the characters of a string takes twice as long. Pass `utf8Bytes` if known, to skip the
 * encoding (1 µs even for a short text).
 */
const codesOf = (text: string, utf8Bytes: Uint8Array = utf8.encode(text)): Codes => {
  // as many bytes as characters: the text is ASCII
  if (utf8Bytes.length === text.length) return utf8Bytes
  const codes = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += 1) codes[at] = text.charCodeAt(at)
  return codes
}

/** The name that is written like this between quotes. The parser rejects malformed ones. */
const nameIn = (written: string): string => {
  if (!written.includes('\\')) return written
  try {
    return JSON.parse(`"${written}"`) as string
  } catch {
    return written
  }
}

/**
 * Sentinels for `starts`: an object without a name yet, and an array. The first name is kept as a position; a Set is built only
 * for the second, because most objects in a long text have one or two names.
 */
const NO_NAME = -1
const ARRAY = -2

/** The name in quotes, or its beginning. */
const shown = (name: string): string => JSON.stringify(name.slice(0, SHOWN))

const refused = (fault: string): JsonVerdict => ({ fault, isExactInDoubles: false })

/**
 * A single loop that calls and allocates nothing, except for names after the first of an object, and branches on ranges of
 * character codes: 0.2 instead of 0.3 ms for 10,000 short elements (measured).
 */
export const judgeJson = (text: string, utf8Bytes?: Uint8Array): JsonVerdict => {
  const codes = codesOf(text, utf8Bytes)
  // by level: the position of the first name, and the set of names once there are two; level 0 is outside the text's value
  const starts = [ARRAY]
  const ends = [ARRAY]
  let names: (Set<string> | undefined)[] | undefined
  let level = 0
  let isNameNext = false
  let isExactInDoubles = true
  let digits = 0
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number
    if (code <= NINE) {
      if (code >= ZERO) {
        digits += 1
        if (digits > EXACT_DIGITS) isExactInDoubles = false
        continue
      }
      // a fraction of so few digits never rounds to an integer
      if (code === DOT) continue
      if (code === COMMA) {
        isNameNext = starts[level] !== ARRAY
      } else if (code === QUOTE) {
        const start = at
        // skips an escaped character, which may be a quote
        for (at += 1; at < codes.length && codes[at] !== QUOTE; at += 1) if (codes[at] === BACKSLASH) at += 1
        if (at >= codes.length) return { fault: undefined, isExactInDoubles }
        if (isNameNext && starts[level] === NO_NAME) {
          starts[level] = start + 1
          ends[level] = at
        } else if (isNameNext) {
          names ??= []
          const known = names[level] ?? new Set([nameIn(text.slice(starts[level], ends[level]))])
          names[level] = known
          const name = nameIn(text.slice(start + 1, at))
          if (known.has(name)) return refused(`the name ${shown(name)} appears twice in one object`)
          known.add(name)
        }
        isNameNext = false
        // the character that most often follows, and takes the longest way
        if (codes[at + 1] === COLON) at += 1
      }
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      level += 1
      if (level > MAX_DEPTH) return refused(`it has more than ${MAX_DEPTH} levels`)
      isNameNext = code === OPEN_BRACE
      starts[level] = isNameNext ? NO_NAME : ARRAY
      if (names !== undefined) names[level] = undefined
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (level > 0) level -= 1
      isNameNext = false
    } else if (digits > 0 && (code === LOWER_E || code === UPPER_E)) {
      // not the `e` of true and false
      isExactInDoubles = false
    }
    digits = 0
  }
  return { fault: undefined, isExactInDoubles }
}
