// The tables of growth: reads by size, space by size, load by connections.
import { figureOf, type Result, type Row } from '../../method/result.js'
import { cell, distinct, markdownTable } from '../../report/markdown.js'

export const growthTable = (result: Result): string => {
  const isSpace = ({ case: name }: Row): boolean => name.endsWith('space')
  const isConnections = ({ case: name }: Row): boolean => name.includes(' connections, ')
  const figures = (names: readonly string[], { values }: Row): readonly string[] =>
    names.map((name) => cell(values[name] ?? Number.NaN))
  const sizes = distinct(result.rows.filter(isSpace).map(({ server }) => server))
  const readCases = distinct(
    result.rows.filter((row) => !isSpace(row) && !isConnections(row)).map(({ case: name }) => name),
  )
  const space = ['heapMiB', 'residentMiB', 'diskMiB', 'diskBytesPerPet']
  /** Beyond the size of the smallest store, most of which is not due to pets. */
  const heapPerPet = ({ case: name, server }: Row): string => {
    const beyond = (value: string): number =>
      figureOf(result, name, server, value) - figureOf(result, name, sizes[0] ?? '', value)
    return cell(Math.round(beyond('heapBytes') / beyond('pets')))
  }
  const load = ['perSecond', 'p50Ms', 'p99Ms', 'cpuMicros']
  return [
    markdownTable(
      ['CPU µs per request', ...sizes],
      readCases.map((name) => [name, ...sizes.map((size) => cell(figureOf(result, name, size, 'cpuMicros')))]),
    ),
    markdownTable(
      ['space', 'heap MiB', 'resident MiB', 'disk MiB', 'disk bytes per pet', 'heap bytes per pet'],
      result.rows.filter(isSpace).map((row) => [`${row.case}, ${row.server}`, ...figures(space, row), heapPerPet(row)]),
    ),
    markdownTable(
      ['load', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs'],
      result.rows.filter(isConnections).map((row) => [row.case, ...figures(load, row)]),
    ),
  ].join('\n\n')
}
