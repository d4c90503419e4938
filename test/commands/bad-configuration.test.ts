// The command line with invalid settings: exit code 78, one line per problem, no secret.
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

let folder: string
beforeEach(async () => {
  folder = await temporaryPath()
})

describe('runCommandLine', () => {
  it('exits with 78 for a bad configuration, with one line per problem, before anything is opened [bad-values]', async () => {
    const environment = {
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      PORT: 'x',
      STORE: 'disk',
      MONGODB_URI: 'mongodb://user:secret@',
    }
    for (const words of [['serve'], ['keys', 'list', '--json']]) {
      const { code, stdout, stderr } = await runCommand(environment, ...words)
      expect([code, stdout]).toEqual([78, ''])
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringMatching(/^PORT: got "x", wanted /),
        expect.stringMatching(/^STORE: got "disk", wanted /),
        expect.stringMatching(/^MONGODB_URI: got \(hidden\), wanted /),
      ])
    }
    await expect(access(folder)).rejects.toThrow('ENOENT')
  })

  it('exits with 78 for a MONGODB_URI that the driver refuses, and shows none of it', async () => {
    const environment = { MONGODB_URI: 'mongodb://user:hunter2@localhost/pets?foo=1', PORT: '0', LOG_LEVEL: 'silent' }
    const events = ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException'] as const
    const listeners = () => events.map((event) => process.listenerCount(event))
    const before = listeners()
    for (const words of [['serve'], ['keys', 'list'], ['indexes']]) {
      expect(await runCommand(environment, ...words)).toEqual({
        code: 78,
        stdout: '',
        stderr:
          'MONGODB_URI: got (hidden), wanted one whose options the driver accepts; user and password are percent-encoded (@ as %40, / as %2F)\n',
      })
    }
    expect(listeners()).toEqual(before)
  })

  it('names the file that a refused MONGODB_URI came from, and shows none of it', async () => {
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'uri')
    await writeFile(file, 'mongodb://user:hunter2@localhost/pets?foo=1\n')
    const { code, stderr } = await runCommand({ MONGODB_URI_FILE: file }, 'keys', 'list')
    expect([code, stderr]).toEqual([78, expect.stringMatching(/^MONGODB_URI_FILE: got \(hidden\), wanted /)])
  })
})
