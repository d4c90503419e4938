// Phrases that read as translated. Each one catches a probe; write the replacement instead.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Phrase {
  readonly pattern: RegExp
  readonly write: string
  readonly probes: readonly string[]
}

const PHRASES: readonly Phrase[] = [
  {
    pattern: /(?:\/\/|\/\*\*) What(?:ever)? /,
    write: 'a noun: "The damage report of a store", not "What a store reports"',
    probes: ['// What a store reports about damage.', '/** Whatever a route adds to its answers. */'],
  },
  {
    pattern: /(?<![Tt]here )\b(?:is|are) no (?:number|integer|int64|id|text|string|JSON|pet|address|object|key|date)\b/,
    write: 'is not a number',
    probes: ['a counter that is no number', '/_id is no integer', 'bytes that are no JSON'],
  },
  {
    pattern:
      /\b(?:once|one [a-z]+|a (?:line|second|thousand|report|text)) an? (?:request|route|pet|line|file|run|entry|problem|character|suite)\b/,
    write: 'one line per request',
    probes: ['one line a request', 'built once a run', 'a line a problem'],
  },
  { pattern: /\bfor ever\b/, write: 'forever', probes: ['nothing waits for ever'] },
  {
    pattern: /\b[Nn]othing of (?:it|them|a|an|the|this)\b/,
    write: 'stores nothing',
    probes: ['Nothing of a refused request is stored'],
  },
  { pattern: /\b(?:of|for) so many\b/, write: 'this many', probes: ['idle for so many milliseconds'] },
  {
    pattern: /\bone's own\b|\bof another hand\b|\btest's own\b/,
    write: 'your own; from another program',
    probes: ["an adapter of one's own", 'documents of another hand', "a folder of a test's own"],
  },
  {
    pattern: /\b(?:says?|said|tells?|told) of\b|\b(?:becomes?|became) of\b/,
    write: 'says about; the outcome of',
    probes: ['what the README says of it', 'counts what becomes of them'],
  },
]

const FOLDERS = ['src', 'test', 'docs', 'deploy', 'examples']

/** Text for people: comments, messages and titles in code, and all documents. */
const files = [
  ...readdirSync('.', { encoding: 'utf8' }),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  ),
].filter((path) => /\.(?:ts|md|yaml)$/.test(path) && !/node_modules|test\/(?:fixtures\/|english[.])/.test(path))

const linesWith = ({ pattern }: Phrase): readonly string[] =>
  files.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  )

describe('plain English', () => {
  it.each(PHRASES)('is used in all texts: $write', (phrase) => {
    expect(files.length).toBeGreaterThan(300)
    expect(linesWith(phrase)).toStrictEqual([])
  })

  it.each(PHRASES)('misses no probe: $write', ({ pattern, probes }) => {
    expect(probes.filter((probe) => !pattern.test(probe))).toStrictEqual([])
  })
})
