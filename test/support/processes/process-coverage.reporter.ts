// Adds to vitest's coverage what only the processes that tests start have run, before vitest judges and reports it: looks up
// each statement, function and branch that no test process has run. A library that merges the coverage of two compilers was
// tried: it compares places that differ by a character, and reported three times as many statements as missed.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generatedPositionFor, originalPositionFor, type SourceMapInput, TraceMap } from '@jridgewell/trace-mapping'
import type { Reporter, Vitest } from 'vitest/node'
import { COVERAGE_FOLDER } from './child-environment.js'

/** Emptied by each run that counts coverage. */
const PROCESS_COVERAGE = 'reports/process-coverage'

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** A file that Node writes to the folder NODE_V8_COVERAGE when a process exits. */
interface ProcessCoverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly Range[] }[]
  }[]
  readonly 'source-map-cache'?: Readonly<
    Record<string, { readonly lineLengths: readonly number[]; readonly data: SourceMapInput | null }>
  >
}

interface Place {
  readonly line: number
  readonly column: number
}

/** The members that are used of the coverage of a file, in Istanbul's form. */
interface FileCoverage {
  readonly statementMap: Readonly<Record<string, { readonly start: Place }>>
  readonly fnMap: Readonly<Record<string, { readonly loc: { readonly start: Place } }>>
  readonly branchMap: Readonly<Record<string, { readonly locations: readonly { readonly start: Place }[] }>>
  readonly s: Record<string, number>
  readonly f: Record<string, number>
  readonly b: Record<string, number[]>
}

interface CoverageMap {
  readonly files: () => readonly string[]
  readonly fileCoverageFor: (path: string) => { readonly data: FileCoverage }
}

/** How often a place of a source has run; 0 if this is not known for sure. */
type CountAt = (source: string, place: Place) => number

const countsIn = ({
  result,
  'source-map-cache': maps = {},
}: ProcessCoverage): readonly (readonly [string, CountAt])[] =>
  result.flatMap(({ url, functions }) => {
    const { data, lineLengths } = maps[url] ?? { data: null, lineLengths: [] }
    if (data === null) return []
    const map = new TraceMap(data, url)
    const lineStarts = [0]
    for (const [line, length] of lineLengths.entries()) lineStarts.push((lineStarts[line] ?? 0) + length + 1)
    const ranges = functions.flatMap((one) => one.ranges)
    const countAt: CountAt = (source, { line, column }) => {
      const found = generatedPositionFor(map, { source, line, column })
      if (found.line === null) return 0
      const back = originalPositionFor(map, found)
      if (back.line !== line || back.column !== column) return 0
      const offset = (lineStarts[found.line - 1] ?? 0) + found.column
      const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
      return (
        around.toSorted((one, other) => one.endOffset - one.startOffset - other.endOffset + other.startOffset)[0]
          ?.count ?? 0
      )
    }
    return map.resolvedSources.map((source) => [source, countAt] as const)
  })

const addTo = (file: FileCoverage, countAt: (place: Place) => number): void => {
  for (const [key, { start }] of Object.entries(file.statementMap)) if (file.s[key] === 0) file.s[key] = countAt(start)
  for (const [key, { loc }] of Object.entries(file.fnMap)) if (file.f[key] === 0) file.f[key] = countAt(loc.start)
  for (const [key, { locations }] of Object.entries(file.branchMap)) {
    file.b[key] = locations.map(({ start }, at) => file.b[key]?.[at] || countAt(start))
  }
}

/** Undefined for a file that a process, or one of its threads, was writing when it was killed. */
const readWhole = (path: string): ProcessCoverage | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessCoverage
  } catch {
    return undefined
  }
}

export default class ProcessCoverageReporter implements Reporter {
  onInit({ config }: Vitest): void {
    if (!config.coverage.enabled) return
    process.env[COVERAGE_FOLDER] = PROCESS_COVERAGE
    rmSync(PROCESS_COVERAGE, { recursive: true, force: true })
    mkdirSync(PROCESS_COVERAGE, { recursive: true })
  }

  onCoverage(coverage: unknown): void {
    const map = coverage as CoverageMap
    const counts = new Map<string, CountAt[]>()
    for (const name of readdirSync(PROCESS_COVERAGE)) {
      const read = readWhole(join(PROCESS_COVERAGE, name))
      for (const [source, countAt] of read === undefined ? [] : countsIn(read))
        counts.set(source, [...(counts.get(source) ?? []), countAt])
    }
    for (const path of map.files()) {
      const source = pathToFileURL(path).href
      const known = counts.get(source) ?? []
      addTo(map.fileCoverageFor(path).data, (place) => known.reduce((sum, countAt) => sum + countAt(source, place), 0))
    }
  }
}
