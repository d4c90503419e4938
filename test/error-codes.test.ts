import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operations, schemas } from './support/openapi-document.js'

const text = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')

/** Every `### code` of the page, each with the `## status` above it. */
const sections = text.split(/^## /m).slice(1)
const documented = sections.flatMap((section) =>
  [...section.matchAll(/^### (\w+)$/gm)].map(([, code]) => `${section.slice(0, 3)} ${String(code)}`),
)

describe('docs/errors.md', () => {
  it('has one heading for each code of the description, and no other', () => {
    expect(schemas['Error']).toMatchObject({
      properties: { code: { 'x-extensible-enum': documented.map((line) => line.slice(4)) } },
    })
  })

  it('puts each code under the status with which it is answered', () => {
    const answered = operations.flatMap(({ responses }) =>
      [...responses].flatMap(([status, { codes }]) => (status < 400 ? [] : codes.map((code) => `${status} ${code}`))),
    )
    expect(answered.filter((line) => !documented.includes(line))).toStrictEqual([])
    expect(answered.length).toBeGreaterThan(documented.length)
  })
})
