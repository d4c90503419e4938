// Refuses what a lossless JSON parser lets pass: deep nesting, and duplicate names even of equal values.
// It reads tokens only; whether the text is JSON at all is the parser's to say.

/** Levels of nesting, the body's own object being the first. */
const MAX_DEPTH = 64

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** The index of the quote that closes the string which opens at `start`, or -1. */
const closingQuote = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return -1
}

/** The name as it reads after its escapes; a broken one is left to the parser. */
const nameIn = (literal: string): string => {
  if (!literal.includes('\\')) return literal
  try {
    return JSON.stringify(JSON.parse(literal))
  } catch {
    return literal
  }
}

/** Why a JSON text is refused although it may be well-formed, if it is. */
export const jsonFault = (text: string): string | undefined => {
  // the names seen in each open object; an array has none
  const open: (Set<string> | undefined)[] = []
  let isNameNext = false
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        isNameNext = text.charCodeAt(at) === OPEN_BRACE
        open.push(isNameNext ? new Set() : undefined)
        if (open.length > MAX_DEPTH) return `it has more than ${MAX_DEPTH} levels`
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop()
        isNameNext = false
        break
      case COMMA:
        isNameNext = open.at(-1) !== undefined
        break
      case QUOTE: {
        const end = closingQuote(text, at)
        if (end === -1) return undefined
        if (isNameNext) {
          const names = open.at(-1)
          const name = nameIn(text.slice(at, end + 1))
          if (names?.has(name)) return `the name ${name.slice(0, 64)} appears twice in one object`
          names?.add(name)
          isNameNext = false
        }
        at = end
      }
    }
  }
  return undefined
}
