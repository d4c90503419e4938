// Parses header fields that are lists or have parameters (RFC 9110 §5.6).

const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** Strips optional white space. `trim` would also remove characters that belong to the value. */
const trimmed = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && isSpace(text[from])) from += 1
  while (from < to && isSpace(text[to - 1])) to -= 1
  return text.slice(from, to)
}

/** Splits at separators outside quotes. An unclosed quote extends to the end. */
const splitAt = (separator: ',' | ';', text: string): readonly string[] => {
  const parts = ['']
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[^",;]+|[,;]/g)) {
    if (token === separator) parts.push('')
    else parts.push(`${parts.pop()}${token}`)
  }
  return parts.map(trimmed)
}

/** The members of a list: its lines form one list (§5.3), and empty members are ignored (§5.6.1.2). */
export const membersOf = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : splitAt(',', lines.join(',')).filter((member) => member !== '')

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"

interface Parameter {
  /** In lower case. */
  readonly name: string
  /** Without quotes. */
  readonly value: string | undefined
}

const readerOf = (aroundEquals: string) => {
  const around = `${aroundEquals}=${aroundEquals}`
  const form = new RegExp(`^(${TOKEN})(?:${around}(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?$`)
  return (text: string): Parameter | undefined => {
    const [, name, token, quoted] = form.exec(text) ?? []
    if (name === undefined) return undefined
    return { name: name.toLowerCase(), value: token ?? quoted?.replaceAll(/\\(.)/g, '$1') }
  }
}

/** A parameter (§5.6.6), which has no white space around `=`; undefined if it is malformed. */
const parameterFrom = readerOf('')

/** A preference (RFC 7240 §2), which may have white space around `=`. */
export const preferenceFrom = readerOf('[ \\t]*')

export interface Item {
  readonly value: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** The value before the first semicolon, as sent. */
export const valueIn = (member: string): string => splitAt(';', member)[0] ?? ''

/** Parses a value with parameters; undefined if a parameter is malformed. */
export const itemFrom = (member: string): Item | undefined => {
  const [value = '', ...rest] = splitAt(';', member)
  const parameters: [string, string][] = []
  for (const text of rest) {
    if (text === '') continue
    const parameter = parameterFrom(text)
    if (parameter?.value === undefined) return undefined
    parameters.push([parameter.name, parameter.value])
  }
  return { value: value.toLowerCase(), parameters }
}
