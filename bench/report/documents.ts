// The documents that show figures: what stands between two markers is made from bench/results.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathOf } from '../method/paths.js'
import { readResult } from '../method/result.js'
import { http } from '../scenarios/http/scenario.js'
import { SCENARIOS } from '../scenarios/scenarios.js'
import { picture } from './picture.js'
import { section } from './section.js'

const PICTURE = 'docs/benchmarks.svg'

/** What the README shows; a quick run has nothing to show. */
const summary = (): string => {
  const result = readResult('http')
  const more = '[docs/benchmarks.md](docs/benchmarks.md) has the method and all figures.'
  if (result === undefined || result.quick)
    return `\`npm run bench\` compares the service with node:http, Fastify and plain Koa on your machine. ${more}`
  const image = `![Microseconds of CPU per request of four servers](${PICTURE})`
  return `${image}\n\n${http.table(result)}\n\n${more}`
}

const PARTS: Readonly<Record<string, () => string>> = {
  readme: summary,
  ...Object.fromEntries(SCENARIOS.map((scenario) => [scenario.name, () => section(scenario)])),
}

const MARKED = /(<!-- bench:(\w+) -->\n)[\s\S]*?(<!-- \/bench -->)/g

const fill = (document: string): string =>
  document.replaceAll(MARKED, (whole, begin: string, name: string, end: string) => {
    const part = PARTS[name]
    return part === undefined ? whole : `${begin}${part()}\n${end}`
  })

/** The files with generated parts, by their names, as they should be. */
export const documents = (): ReadonlyMap<string, string> => {
  const result = readResult('http')
  const texts = ['README.md', 'docs/benchmarks.md'].map(
    (name) => [name, fill(readFileSync(pathOf(name), 'utf8'))] as const,
  )
  return new Map([...texts, ...(result === undefined ? [] : [[PICTURE, picture(result)] as const])])
}

export const writeDocuments = (): void => {
  for (const [name, content] of documents()) writeFileSync(pathOf(name), content)
}
