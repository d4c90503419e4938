import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/processes/run-command.js'

/** Nothing here may need a valid configuration or open a store. */
const run = (...words: readonly string[]) => runCommand({ PORT: 'bad' }, ...words)

/** Without operands and options. */
const explained = (help: string): readonly string[] =>
  [...help.matchAll(/^animal-store ([a-z]+(?: [a-z]+)*)/gm)].map(([, name = '']) => name)

const KEYS = ['keys create', 'keys list', 'keys rotate', 'keys revoke', 'keys prune']
const PARKED = ['events parked list', 'events parked retry']

describe('--help', () => {
  it.each([['--help'], ['-h']])('explains every command on stdout: %s [cmd-help]', async (option) => {
    const { code, stdout, stderr } = await run(option)
    expect([code, stderr]).toEqual([0, ''])
    expect(explained(stdout)).toEqual(expect.arrayContaining(['serve', 'seed', 'indexes', ...KEYS, ...PARKED]))
  })

  it.each([
    [['keys'], KEYS],
    [['events'], ['events backlog', 'events replay', ...PARKED]],
    [['events', 'parked'], PARKED],
    [['keys', 'create'], ['keys create']],
    [['serve'], ['serve']],
  ])('explains a group: %j', async (words, names) => {
    for (const option of ['--help', '-h']) {
      const { code, stdout, stderr } = await run(...words, option)
      expect([code, stderr]).toEqual([0, ''])
      expect(explained(stdout)).toEqual(names)
    }
  })
})

describe('--version', () => {
  it('prints the version of the package, and exits with 0 [cmd-help]', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string }
    expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    for (const words of [
      ['--version', '--json'],
      ['--json', '--version'],
    ]) {
      expect(await run(...words)).toEqual({ code: 0, stdout: `${JSON.stringify({ version })}\n`, stderr: '' })
    }
  })
})

describe('an unknown command', () => {
  it('may be missing: all commands are explained', async () => {
    const { code, stdout, stderr } = await run()
    expect([code, stdout]).toStrictEqual([2, ''])
    expect(stderr).toBe((await run('--help')).stdout)
  })

  it('is not shown if it may be a key', async () => {
    const secret = 'aA0'.repeat(16)
    const key = `ast_live_aaaaaaaaaaa_${secret}`
    for (const words of [
      [key],
      ['keys', key],
      ['keys', 'list', key],
      ['keys', 'create', `--${key}`],
      ['keys', 'create', `--${secret}`],
      ['keys', 'create', '--name', '--', key],
    ]) {
      const { code, stdout, stderr } = await run(...words)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).not.toMatch(/aaaaaaaaaaa|aA0aA0/)
    }
  })
})
