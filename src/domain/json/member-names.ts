// Finds names that appear twice in one object: parsers accept them, and disagree on what they mean (RFC 8259 §4).
import { stringOf } from './json-tokens.js'

/**
 * The names of the objects that are open, by level. The first name of an object is kept as a position, and a Set is built only for
 * the second, because many objects in a long text have only one.
 */
export interface MemberNames {
  readonly starts: (number | undefined)[]
  readonly ends: number[]
  readonly sets: (Set<string> | undefined)[]
}

export const noNames = (): MemberNames => ({ starts: [], ends: [], sets: [] })

/** An object begins. */
export const openObject = ({ starts, sets }: MemberNames, level: number): void => {
  starts[level] = undefined
  sets[level] = undefined
}

/** Adds the name between these places of the text; false if the object has it already. Pass `name` if it is decoded. */
export const addName = (
  names: MemberNames,
  text: string,
  level: number,
  start: number,
  end: number,
  name?: string,
): boolean => {
  const first = names.starts[level]
  if (first === undefined) {
    names.starts[level] = start
    names.ends[level] = end
    return true
  }
  const known = names.sets[level] ?? new Set([stringOf(text.slice(first, names.ends[level]))])
  names.sets[level] = known
  const count = known.size
  return known.add(name ?? stringOf(text.slice(start, end))).size > count
}
