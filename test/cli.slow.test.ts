// What the process of the command line does before any command.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { BAD_CONFIGURATION } from '../src/commands/command.js'
import { BUNDLE } from './support/processes/bundle.js'
import { SOURCES, startCli } from './support/processes/cli-process.js'

it('the command line says in one line which Node.js it needs', async () => {
  const older = "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })"
  const program = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, ...SOURCES]
  const { exit, stdout, stderr } = startCli(program, {}, '--version')
  expect(await exit).toBe(BAD_CONFIGURATION)
  expect([stdout(), stderr()]).toStrictEqual(['', 'animal-store needs Node.js 20.19 or later; this is 18.20.8\n'])
})

it('the command line checks the version before it loads another file', async () => {
  const text = await readFile(`${BUNDLE}/cli.js`, 'utf8')
  expect(text).toContain('await import("./main.js")')
  expect(text).not.toMatch(/^import\b|\bfrom\b/m)
})

it('a command tells a variable of the environment that is close to a setting', async () => {
  const { exit, stdout, stderr } = startCli(SOURCES, { PROT: '21001' }, 'check', '--json')
  expect(await exit).toBe(0)
  expect(stderr()).toBe('PROT is no setting and is ignored; PORT is one\n')
  expect(JSON.parse(stdout())).toMatchObject({ PORT: '8080' })
})
