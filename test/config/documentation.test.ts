// `npm run docs` updates the table of docs/configuration.md, and writes .env.example with the meanings from the table.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.js'
import { readEnvFile } from '../../src/config/env-file.js'
import { fileVariable, rowOf, SETTING_NAMES } from '../../src/config/settings.js'

const PAGE = 'docs/configuration.md'
const TABLE = /(?<=\n\| --- \| --- \| --- \| --- \|\n)[\s\S]*/
const ENV_FILE = '.env.example'

const meanings = new Map(
  [...readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \|.*\| (\S.*) \|$/gm)].map(([, name, meaning]) => [
    name,
    meaning,
  ]),
)
const examples = new Map(
  [...readFileSync(ENV_FILE, 'utf8').matchAll(/^#(\w+)=(.*)$/gm)].map(([, name, example]) => [name, example]),
)

const variables = SETTING_NAMES.flatMap((name) => {
  const { parser, default: value, isSecret } = rowOf(name)
  const example = value === undefined ? (examples.get(name) ?? '') : undefined
  const variable = { name, default: value, example, wanted: parser.wanted, meaning: meanings.get(name) ?? '' }
  const file = {
    name: fileVariable(name),
    default: undefined,
    example: `/run/secrets/${name.toLowerCase()}`,
    wanted: 'a readable file',
    meaning: `file that contains the value of \`${name}\`; do not set both`,
  }
  return isSecret ? [variable, file] : [variable]
})

/** Settings without which another setting has no effect. */
const NEEDED: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  RATE_LIMIT_BURST: { RATE_LIMIT_PER_SECOND: '1' },
  EVENTS_SECRET: { EVENTS_URL: 'https://hooks.example' },
}

const rows = variables.map(
  ({ name, default: value, wanted, meaning }) =>
    `| \`${name}\` | ${value === undefined ? 'none' : `\`${value}\``} | ${wanted} | ${meaning} |\n`,
)

const ENV_EXAMPLE = `# Every setting with its default. Settings without a default are commented out and show an example.
# Copy this file to .env: every command reads .env in its working folder.
# Each line is NAME=value, a comment or blank; the service refuses other lines by number. Write a value with # $ \\ or a quote in single quotes.

${variables
  .map(({ name, default: value, example, meaning }) => {
    const line = value === undefined ? `#${name}=${example}` : `${name}=${value}`
    return `# ${meaning.replaceAll('`', '')}\n${line}\n`
  })
  .join('\n')}`

describe('the documentation of the settings', () => {
  it('has a row for every setting in docs/configuration.md', async () => {
    const page = await readFile(PAGE, 'utf8')
    expect(page).toMatch(TABLE)
    await expect(page.replace(TABLE, () => rows.join(''))).toMatchFileSnapshot(resolve(PAGE))
  })

  it.each(variables)('says in docs/configuration.md what $name means', ({ meaning }) => {
    expect(meaning).not.toBe('')
  })

  it('has a line for every setting in .env.example', async () => {
    await expect(ENV_EXAMPLE).toMatchFileSnapshot(resolve(ENV_FILE))
  })

  it('has only defaults in .env.example', () => {
    const config = pipe(
      readEnvFile(Buffer.from(ENV_EXAMPLE)),
      E.flatMap(({ values }) => readConfig(Object.fromEntries(values))),
    )
    expect(config).toStrictEqual(readConfig({}))
  })

  const withExample = variables.filter(({ name, example }) => example !== undefined && !name.endsWith('_FILE'))
  it.each(withExample)('has an example of $name that is valid and changes the configuration', ({ name, example }) => {
    const others = NEEDED[name] ?? {}
    const config = readConfig({ ...others, [name]: example })
    expect(config).toMatchObject({ _tag: 'Right' })
    expect(config).not.toStrictEqual(readConfig(others))
  })
})
