// What examples and pages for users call the same thing.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name))

const matchesIn = (files: readonly string[], pattern: RegExp): readonly (readonly [file: string, text: string])[] =>
  files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)].map(([text, group = text]) => [file, group] as const),
  )

it('what the store keeps is a pet in README and in everything that /docs shows', () => {
  const files = ['README.md', 'openapi.yaml', 'asyncapi.yaml', 'docs/errors.md', ...filesIn('assets/docs')]
  expect(matchesIn(files, /(?<![\w.@/-])animals?\b(?![-_]| store)/gi)).toStrictEqual([])
})

it('METRICS_PORT is 9464 in every example', () => {
  const files = ['README.md', '.env.example', 'docker-compose.yml', ...['docs', 'deploy', 'examples'].flatMap(filesIn)]
  const ports = matchesIn(files, /METRICS_PORT\b[^\w\n]{0,4}(?:is )?(\d{2,5})\b/g)
  expect(ports.length).toBeGreaterThan(4)
  expect(ports.filter(([, port]) => port !== '9464')).toStrictEqual([])
  expect(matchesIn(files, /\b9090\b/g)).toStrictEqual([])
})
