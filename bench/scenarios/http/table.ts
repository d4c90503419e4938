// The table of the HTTP comparison: a server per line, an operation per column.
import { figureOf, type Row } from '../../method/row.js'
import { cell, distinct, markdownTable, ratio } from '../../report/markdown.js'

const SERVICE = 'animal-store'
const PEERS = ['Fastify', 'plain Koa', 'node:http']

export const cpuTable = (rows: readonly Row[]): string => {
  const cases = distinct(rows.map((row) => row.case))
  const cpu = (name: string, server: string): number => figureOf(rows, name, server, 'cpuMicros')
  const figures = ['node:http', 'Fastify', 'plain Koa', SERVICE].map((server) => [
    server,
    ...cases.map((name) => cell(cpu(name, server))),
  ])
  const ratios = PEERS.map((peer) => [
    `speed relative to ${peer}`,
    ...cases.map((name) => ratio(cpu(name, peer) / cpu(name, SERVICE))),
  ])
  return markdownTable(['CPU µs per request', ...cases], [...figures, ...ratios])
}
