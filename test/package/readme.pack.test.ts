// The commands of README.md work in the order in which a reader meets them.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const readme = await readFile('README.md', 'utf8')

it('starts compose on another port than npm start, which is still running', async () => {
  const compose = [...readme.matchAll(/^.*docker compose up.*$/gm)].map(([line]) => line)
  expect(compose.length).toBeGreaterThan(0)
  expect(compose.filter((line) => !/PORT=(?!8080)\d+ /.test(line))).toStrictEqual([])
})
