// The table of a comparison with one peer: one line per operation and number of connections.
import { figureOf, type Row } from '../method/row.js'
import { cell, distinct, markdownTable, ratio } from './markdown.js'

const SERVICE = 'animal-store'

export const versusTable = (measured: readonly Row[], peer: string): string => {
  const hasCommands = measured.some(({ values }) => 'commandsPerRequest' in values)
  const head = ['operation, connections', 'requests/s', `of ${peer}`, 'p50 ms', `${peer}, p50 ms`, 'p99 ms', 'CPU µs']
  const rows = distinct(measured.map((row) => row.case)).map((name) => {
    const own = (figure: string): number => figureOf(measured, name, SERVICE, figure)
    const peers = (figure: string): number => figureOf(measured, name, peer, figure)
    return [
      name,
      cell(own('perSecond')),
      ratio(own('perSecond') / peers('perSecond')),
      cell(own('p50Ms')),
      cell(peers('p50Ms')),
      cell(own('p99Ms')),
      cell(own('cpuMicros')),
      ...(hasCommands ? [cell(own('commandsPerRequest'))] : []),
    ]
  })
  return markdownTable(hasCommands ? [...head, 'commands per request'] : head, rows)
}
