// The public API cannot change unnoticed: `npm run api` updates its reports. Each export says since when it exists, and what it is about.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { apiReports } from './api-report.js'
import { entries, readApi } from './entries.js'

const { categoryOrder } = JSON.parse(readFileSync('typedoc.json', 'utf8')) as { readonly categoryOrder: string[] }
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }

const numbers = (text: string): readonly number[] => text.split('.').map(Number)
/** Whether it is a version up to the present one. */
const isVersion = (text: string): boolean =>
  /^\d+\.\d+\.\d+$/.test(text) &&
  numbers(text)
    .map((part, at) => Math.sign(part - (numbers(version)[at] ?? 0)))
    .find((sign) => sign !== 0) !== 1

it('has the public API in the committed reports', async () => {
  const reports = apiReports()
  for (const [at, { name, file }] of entries.entries()) {
    const text = `# ${name}\n\nWritten by \`npm run api\`.\n\n${reports[at]}`
    await expect(text).toMatchFileSnapshot(`../../etc/api/${file}.api.md`)
  }
})

it('has the tags @since and @category on every export, for the reference', () => {
  const { checker, exportsOf } = readApi()
  const used = new Set<string>()
  const faults = entries.flatMap((entry) =>
    exportsOf(entry).flatMap((symbol) => {
      const tags = symbol.getJsDocTags(checker)
      const textsOf = (wanted: string): readonly string[] =>
        tags.filter(({ name }) => name === wanted).map(({ text }) => ts.displayPartsToString(text))
      const [since, category] = [textsOf('since'), textsOf('category')]
      for (const text of category) used.add(text)
      const isGood =
        since.length > 0 &&
        since.every(isVersion) &&
        category.length > 0 &&
        category.every((text) => categoryOrder.includes(text))
      return isGood ? [] : [`${entry.name}: ${symbol.name}: @since ${since.join()} @category ${category.join()}`]
    }),
  )
  expect(faults).toStrictEqual([])
  expect([...used].sort()).toStrictEqual([...categoryOrder].sort())
})
