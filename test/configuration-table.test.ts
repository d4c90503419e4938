// docs/configuration.md is written from the codecs of the variables: `npm run docs` writes it anew.
import { expect, it } from 'vitest'
import { settings } from '../src/variables.js'

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const DOCUMENT = `# Configuration

All settings come from the environment; [.env.example](../.env.example) is ready to be copied. An empty variable counts
as absent, an unknown one is ignored. A bad value stops the start before anything is opened, with exit code 78 and one
line for each problem: name, what it got, what it wanted. A value that may hold a password is never shown.

This page is written from the codecs in \`src/variables.ts\` by \`npm run docs\`, and a test holds it to it.

${row('variable', 'default', 'wanted', 'meaning')}
${row('---', '---', '---', '---')}
${settings
  .map(({ name, default: value, wanted, meaning }) =>
    row(`\`${name}\``, value === undefined ? 'none' : `\`${value}\``, wanted, meaning),
  )
  .join('\n')}
`

it('documents every setting as its codec has it', async () => {
  await expect(DOCUMENT).toMatchFileSnapshot('../docs/configuration.md')
})
