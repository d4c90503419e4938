import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { versionProblem } from '../../src/commands/node-version.js'

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly engines: { readonly node: string } }

it.each([
  ['12.22.12', true],
  ['18.20.8', true],
  ['20.18.3', true],
  ['20.19.0', false],
  ['20.20.2', false],
  ['22.0.0', false],
  ['100.1.0', false],
])('Node.js %s is too old: %s', (version, isOld) => {
  const [, wanted = 'unknown'] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? []
  const line = `animal-store needs Node.js ${wanted} or later; this is ${version}`
  expect(versionProblem(version)).toBe(isOld ? line : undefined)
})
