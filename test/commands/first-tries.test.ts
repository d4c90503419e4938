// Commands and options that people try first.
import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

let folder: string
beforeEach(async () => {
  folder = await temporaryPath()
})

const run = (...words: readonly string[]) => runCommand({ DATA_DIR: folder }, ...words)

describe('the command line', () => {
  it('names the option of a bad value, and the variable of a setting that is given as an option', async () => {
    expect(await run('keys', 'create', '--name', '')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--name: must have 1 to 256 characters\n'),
    })
    expect(await run('serve', '--port', '9000')).toMatchObject({
      code: 2,
      stderr: "Unknown option '--port'; set the environment variable PORT instead; usage: animal-store serve\n",
    })
  })

  it('understands help, version and -v', async () => {
    const version = await run('--version')
    expect([await run('version'), await run('-v')]).toStrictEqual([version, version])
    expect(await run('help')).toStrictEqual(await run('--help'))
    expect(await run('help', 'keys')).toStrictEqual(await run('keys', '--help'))
  })
})
