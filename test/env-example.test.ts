import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../src/config.js'

type Variable = readonly [name: string, value: string]

const variables = (pattern: RegExp): readonly Variable[] =>
  [...readFileSync('.env.example', 'utf8').matchAll(pattern)].map(([, name = '', value = '']) => [name, value])
const defaults = variables(/^([A-Z_]+)=(.*)$/gm)
const samples = variables(/^#([A-Z_]+)=(.*)$/gm)

const settings = (environment: readonly Variable[]): Config => {
  const config = readConfig(Object.fromEntries(environment))
  if (E.isLeft(config)) throw new Error(config.left.join('\n'))
  return config.right
}

describe('.env.example', () => {
  it('names every setting once', () => {
    const names = [...defaults, ...samples].map(([name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBe(Object.keys(settings([])).length)
  })

  it('gives the defaults where there are any', () => {
    expect(settings(defaults)).toStrictEqual(settings([]))
  })

  it.each(defaults)('names a variable that is read: %s', (name) => {
    expect(readConfig({ [name]: '\0' })).not.toStrictEqual(readConfig({}))
  })

  it.each(samples)('shows a value that is accepted and changes a setting: %s=%s', (...sample) => {
    expect(settings([sample])).not.toStrictEqual(settings([]))
  })
})
