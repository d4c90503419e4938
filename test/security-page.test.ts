// docs/security.md covers each item of the OWASP API Security Top 10, and every table of attacks.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('docs/security.md', 'utf8')

it('has a section for each item, in order', () => {
  const items = [...page.matchAll(/^## API(\d+): /gm)].map(([, number]) => Number(number))
  expect(items).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

it('names a test in each row', () => {
  const rows = page.split('\n').filter((line) => /^\| (?!threat|---|request|(?:no )?key:)/.test(line))
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter((row) => !/`test\/[\w./-]+\.test\.ts`/.test(row))).toEqual([])
})

it('names every table of attacks', () => {
  const tables = readdirSync('test/hostile').filter((name) => name.endsWith('.hostile.test.ts'))
  expect(tables.filter((name) => !page.includes(`\`test/hostile/${name}\``))).toEqual([])
})
