// Finds the place where a text stops being JSON (RFC 8259), for the error message: the messages of
// parsers differ, and some omit the position.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

const WHITE_SPACE = ' \t\n\r'
const NUMBER_OR_NAME = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** The index after what the pattern matches at `at`, or undefined. */
const after = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

type End = { readonly _tag: 'Read'; readonly end: number } | { readonly _tag: 'Fault'; readonly at: number }

const readString = (text: string, start: number): End => {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return { _tag: 'Read', end: at + 1 }
    if (code < SPACE) return { _tag: 'Fault', at }
    if (code === BACKSLASH) {
      const end = after(ESCAPE, text, at)
      if (end === undefined) return { _tag: 'Fault', at }
      at = end
    } else at += 1
  }
  return { _tag: 'Fault', at }
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'more'

/** How far a text is read: what may come at `at`, and the brackets that are still open. */
interface Reading {
  readonly text: string
  readonly closers: string[]
  expected: Expected
  at: number
}

const advance = (reading: Reading, end: number, expected: Expected): true => {
  reading.at = end
  reading.expected = expected
  return true
}

/** Reads the name or the string that begins here; a fault inside moves `at` to it. */
const takeString = (reading: Reading, next: Expected): boolean => {
  const string = readString(reading.text, reading.at)
  if (string._tag === 'Read') return advance(reading, string.end, next)
  reading.at = string.at
  return false
}

const takeValue = (reading: Reading, character: string): boolean => {
  const { text, at, closers } = reading
  if (character === '"') return takeString(reading, 'more')
  if (character === '{' || character === '[') {
    closers.push(character === '{' ? '}' : ']')
    return advance(reading, at + 1, character === '{' ? 'name or }' : 'value or ]')
  }
  const end = after(NUMBER_OR_NAME, text, at)
  return end !== undefined && advance(reading, end, 'more')
}

const takeCloser = (reading: Reading): true => {
  reading.closers.pop()
  return advance(reading, reading.at + 1, 'more')
}

/** Reads one token; false if it does not belong there. */
const take = (reading: Reading): boolean => {
  const { text, at, closers } = reading
  const character = text.charAt(at)
  switch (reading.expected) {
    case 'more':
      if (character === closers.at(-1)) return takeCloser(reading)
      return character === ',' && advance(reading, at + 1, closers.at(-1) === '}' ? 'name' : 'value')
    case ':':
      return character === ':' && advance(reading, at + 1, 'value')
    case 'name or }':
      if (character === '}') return takeCloser(reading)
      return character === '"' && takeString(reading, ':')
    case 'name':
      return character === '"' && takeString(reading, ':')
    case 'value or ]':
      return character === ']' ? takeCloser(reading) : takeValue(reading, character)
    case 'value':
      return takeValue(reading, character)
  }
}

/**
 * The index of the first character that does not belong there: the length of the text if it ends too early, and undefined if it
 * is well-formed.
 */
export const findFault = (text: string): number | undefined => {
  const reading: Reading = { text, closers: [], expected: 'value', at: 0 }
  for (;;) {
    while (reading.at < text.length && WHITE_SPACE.includes(text.charAt(reading.at))) reading.at += 1
    const isWhole = reading.expected === 'more' && reading.closers.length === 0
    if (isWhole && reading.at === text.length) return undefined
    if (isWhole || reading.at === text.length || !take(reading)) return reading.at
  }
}

/** A column is of no use in a longer text, and a hostile client could make the search expensive. */
const MAX_LENGTH = 65_536

/** Where it is, for people: the column, and the line if there are several; both begin at 1. */
export const faultText = (text: string): string => {
  const at = text.length > MAX_LENGTH ? undefined : findFault(text)
  if (at === undefined) return 'it is not well-formed'
  const before = text.slice(0, at)
  if (at === text.length) return text.trim() === '' ? 'it is empty' : 'it is not well-formed: it ends too early'
  const line = text.includes('\n') ? `line ${before.split('\n').length}, ` : ''
  return `it is not well-formed at ${line}column ${at - before.lastIndexOf('\n')}`
}
