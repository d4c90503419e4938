// The published figures are between markers in these documents, and nowhere else.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathOf } from '../method/paths.js'

const PAGE = 'docs/benchmarks.md'

const marked = (scenario: string): RegExp => new RegExp(`(<!-- bench:${scenario} -->\n)([\\s\\S]*?)(<!-- /bench -->)`)

export const publish = (scenario: string, text: string): void => {
  for (const file of [PAGE, 'README.md']) {
    const document = readFileSync(pathOf(file), 'utf8')
    writeFileSync(
      pathOf(file),
      document.replace(marked(scenario), (_, begin: string, _old: string, end: string) => `${begin}${text}\n${end}`),
    )
  }
}

/** NaN if there is no such figure. */
export const published = (scenario: string, row: string, column: string): number => {
  const [, , text = ''] = marked(scenario).exec(readFileSync(pathOf(PAGE), 'utf8')) ?? []
  const [head = [], ...rows] = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const cell = rows.find(([, name]) => name === row)?.[head.indexOf(column)]
  return cell === undefined || cell === '' ? Number.NaN : Number(cell)
}
