// The picture of the HTTP comparison: a bar per server, grouped by operation. The shorter the bar, the faster the server.
import { figureOf, type Result } from '../method/result.js'

const OPERATIONS = ['list of 20', 'by id', 'create', '401', '400']
const SERVERS = [
  ['node:http', '#9aa5b1'],
  ['Fastify', '#d69e2e'],
  ['plain Koa', '#718096'],
  ['animal-store', '#2b8a6b'],
] as const

const WIDTH = 720
const LEFT = 110
const RIGHT = 60
const BAR = 14
const GAP = 18
const TOP = 44

// readable on a light and on a dark page
const STYLE = 'text { font: 12px sans-serif; fill: #777 } .group { font-weight: bold }'

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}"${attributes}>${content}</text>`

const legend = (): readonly string[] =>
  SERVERS.map(([server, colour], at) => {
    const x = LEFT + at * 140
    return `<rect x="${x}" y="12" width="12" height="12" fill="${colour}"/>${text(x + 18, 22, server)}`
  })

/** An SVG document. */
export const picture = (result: Result): string => {
  const cpu = (operation: string, server: string): number => figureOf(result, operation, server, 'cpuMicros')
  const all = OPERATIONS.flatMap((operation) => SERVERS.map(([server]) => cpu(operation, server)))
  const scale = (WIDTH - LEFT - RIGHT) / Math.max(...all.filter(Number.isFinite))
  const shapes: string[] = []
  let y = TOP
  for (const operation of OPERATIONS) {
    shapes.push(text(LEFT - 10, y + BAR, operation, ' class="group" text-anchor="end"'))
    for (const [server, colour] of SERVERS) {
      const micros = cpu(operation, server)
      if (!Number.isFinite(micros)) continue
      const width = Math.round(micros * scale)
      shapes.push(`<rect x="${LEFT}" y="${y}" width="${width}" height="${BAR - 2}" fill="${colour}"/>`)
      shapes.push(text(LEFT + width + 6, y + BAR - 3, `${micros} µs`))
      y += BAR
    }
    y += GAP
  }
  const title = 'Microseconds of CPU per request; shorter is faster'
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="${title}">`
  return `${[head, `<title>${title}</title>`, `<style>${STYLE}</style>`, ...legend(), ...shapes, '</svg>'].join('\n')}\n`
}
