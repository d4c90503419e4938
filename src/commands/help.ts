// The help texts, and the messages about unknown commands.
import { shown } from '../config/config.js'
import type { Command } from './command.js'

/** The name of a command, without operands and options. */
export const nameOf = ({ usage }: Command): readonly string[] =>
  usage.split(' ').filter((word) => /^[a-z]+$/.test(word))

/** Explanations of placeholders. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  DURATION: 'DURATION is a number and a unit: 30s, 5m, 12h or 30d',
  T: 'T is a time such as 2026-11-21T09:30:00Z or 2026-11-21T10:30+01:00, or a day in UTC such as 2026-11-21',
}

const OF_EVERY_COMMAND = 'Every command takes --json (one JSON document on stdout) and --help.'
const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 wrong usage, 78 bad configuration.'

/** Describes the commands and explains their placeholders. */
export const helpOf = (commands: readonly Command[]): string => {
  const usages = commands.map(({ usage, summary }) => `animal-store ${usage}\n    ${summary}`)
  const words = new Set(commands.flatMap(({ usage }) => usage.match(/\w+/g) ?? []))
  const meanings = Object.entries(PLACEHOLDERS).filter(([placeholder]) => words.has(placeholder))
  return [...usages, '', ...meanings.map(([, meaning]) => `${meaning}.`), OF_EVERY_COMMAND, EXIT_CODES].join('\n')
}

export const helpOfAll = (commands: readonly Command[]): string =>
  `${helpOf(commands)}\nanimal-store --version prints the version.`

/** The commands whose names begin with these words. */
export const groupOf = (commands: readonly Command[], words: readonly string[]): readonly Command[] =>
  commands.filter((command) => words.every((word, at) => nameOf(command)[at] === word))

/** The edit distance of two words: insertions, deletions, replacements and swaps of neighbours. */
const distance = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(Math.min(replaced, at(i - 1, j) + 1, at(i, j - 1) + 1, isSwap ? at(i - 2, j - 2) + 1 : replaced))
    }
  }
  return at(from.length, to.length)
}

/** A longer word cannot be a misspelt command. */
const MAX_WORD_LENGTH = 20

const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  if (word.length > MAX_WORD_LENGTH) return undefined
  const near = candidates
    .map((candidate) => ({ candidate, errors: distance(word, candidate) }))
    .filter(({ candidate, errors }) => errors <= Math.max(1, candidate.length / 3))
  return near.sort((one, other) => one.errors - other.errors)[0]?.candidate
}

const quoted = (words: readonly string[]): string => `"animal-store ${words.join(' ')}"`

/** Why these words name no command, and the possible commands at the first unknown word. */
export const notUnderstood = (commands: readonly Command[], words: readonly string[]): string => {
  const unknownAt = words.findIndex((_, at) => groupOf(commands, words.slice(0, at + 1)).length === 0)
  const known = unknownAt === -1 ? words : words.slice(0, unknownAt)
  const group = groupOf(commands, known)
  const next = [...new Set(group.map((command) => nameOf(command)[known.length] ?? ''))]
  const wanted = `wanted one of ${next.join(', ')}`
  const word = words[unknownAt]
  if (word === undefined) return `${quoted(known)} is not complete: ${wanted}\n\n${helpOf(group)}`
  const guess = nearest(word, next)
  const suggestion = guess === undefined ? '' : `; did you mean ${quoted([...known, guess])}?`
  const place = known.length === 0 ? 'a command' : `a command of ${quoted(known)}`
  const help = known.length === 0 ? 'animal-store --help explains them.' : helpOf(group)
  return `${shown(word)} is not ${place}: ${wanted}${suggestion}\n\n${help}`
}
