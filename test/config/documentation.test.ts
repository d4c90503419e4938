// `npm run docs` writes docs/configuration.md and .env.example from the table of settings.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.js'
import { readEnvFile } from '../../src/config/env-file.js'
import { fileVariable, rowOf, SETTING_NAMES } from '../../src/config/settings.js'

interface Variable {
  readonly name: string
  readonly default: string | undefined
  readonly example: string | undefined
  readonly wanted: string
  readonly meaning: string
}

const variables: readonly Variable[] = SETTING_NAMES.flatMap((name) => {
  const { parser, default: value, example, meaning, isSecret } = rowOf(name)
  const variable = { name, default: value, example, wanted: parser.wanted, meaning }
  const file = {
    name: fileVariable(name),
    default: undefined,
    example: `/run/secrets/${name.toLowerCase()}`,
    wanted: 'a readable file',
    meaning: `file that holds the value of \`${name}\`, which must then not be set itself`,
  }
  return isSecret ? [variable, file] : [variable]
})

/** Other settings, without which a setting has no effect. */
const NEEDED: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  RATE_LIMIT_BURST: { RATE_LIMIT_PER_SECOND: '1' },
  EVENTS_SECRET: { EVENTS_URL: 'https://hooks.example' },
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const PAGE = `# Configuration

All settings are environment variables. An empty variable counts as absent, and an unknown one is ignored. A bad value stops the start before anything is
opened, with exit code 78 and one line for each problem: the variable, what it got, what it wanted.

Every command, \`serve\` too, also reads the file \`.env\` in the folder in which it runs. [.env.example](../.env.example) is ready to copy. A variable of the
environment takes precedence over the file, even if it is empty. The file is UTF-8. Each line is \`NAME=value\`, with or without \`export\`, a comment after
\`#\`, or blank; any other line, another encoding, a setting in two lines and a file that cannot be read are a bad configuration (78, with the number of the
line). So is a value that programs read in different ways: one with \`#\`, \`$\`, a quote or, in double quotes, a backslash. Write such a value in single quotes,
which keep all but themselves. A name close to that of a setting, such as \`PROT\` or \`port\`, is told on stderr.

\`animal-store check\` judges the settings as a start would (exit code 0 or 78), prints those in force with secrets as \`(hidden)\`, and starts nothing. Commands
print the store that they use on stderr, such as \`store: embedded, ./data\`; \`serve\` logs it.

\`MONGODB_URI\` and \`EVENTS_URL\` may hold passwords, and \`EVENTS_SECRET\` is one. None of them is ever printed, and each can come from a file: set
\`MONGODB_URI_FILE\`, \`EVENTS_URL_FILE\` or \`EVENTS_SECRET_FILE\` to its path. White space around the value in the file is ignored.

\`npm run docs\` writes this page and \`.env.example\` from the table in \`src/config/settings.ts\`.

${row('variable', 'default', 'accepts', 'meaning')}
${row('---', '---', '---', '---')}
${variables
  .map(({ name, default: value, wanted, meaning }) =>
    row(`\`${name}\``, value === undefined ? 'none' : `\`${value}\``, wanted, meaning),
  )
  .join('\n')}
`

const ENV_EXAMPLE = `# Every setting, with its default; those without one are commented out and show an example.
# Copy it to .env: every command reads that file in the folder in which it runs.
# Each line is NAME=value, a comment or blank; any other is refused with its number. A value with # $ \\ or a quote is written in single quotes.

${variables
  .map(({ name, default: value, example, meaning }) => {
    const line = value === undefined ? `#${name}=${example}` : `${name}=${value}`
    return `# ${meaning.replaceAll('`', '')}\n${line}\n`
  })
  .join('\n')}`

describe('the documentation of the settings', () => {
  it('has a row for every setting in docs/configuration.md', async () => {
    await expect(PAGE).toMatchFileSnapshot('../../docs/configuration.md')
  })

  it('has a line for every setting in .env.example', async () => {
    await expect(ENV_EXAMPLE).toMatchFileSnapshot('../../.env.example')
  })

  it('has only defaults in .env.example', () => {
    const config = pipe(
      readEnvFile(Buffer.from(ENV_EXAMPLE)),
      E.flatMap(({ values }) => readConfig(Object.fromEntries(values))),
    )
    expect(config).toStrictEqual(readConfig({}))
  })

  const examples = variables.filter(({ name, example }) => example !== undefined && !name.endsWith('_FILE'))
  it.each(examples)('has an example of $name that is valid and changes the configuration', ({ name, example }) => {
    const others = NEEDED[name] ?? {}
    const config = readConfig({ ...others, [name]: example })
    expect(config).toMatchObject({ _tag: 'Right' })
    expect(config).not.toStrictEqual(readConfig(others))
  })
})
