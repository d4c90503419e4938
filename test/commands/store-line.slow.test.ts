// Every command names its store, and why it cannot use it, so that nobody reads the wrong store unnoticed.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../../src/commands/command-line.js'
import { storeText } from '../../src/config/config.js'
import { freePort } from '../support/network/free-port.js'
import { SOURCES } from '../support/processes/cli-process.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const messagesOf = async (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => {
  const messages: string[] = []
  await runCommandLine(words, environment, {
    result: async () => {},
    audit: () => {},
    notice: async () => {},
    message: (text) => messages.push(text),
  })
  return messages
}

describe('the line that names the store', () => {
  it('shows neither password nor options of MongoDB', () => {
    const uri = 'mongodb+srv://shop:s%2Fcret@one.test:27017,two.test/pets?replicaSet=rs0&authSource=admin'
    expect(storeText({ _tag: 'mongodb', uri })).toBe('mongodb, one.test:27017,two.test/pets')
    expect(storeText({ _tag: 'mongodb', uri: 'mongodb://localhost/pets' })).toBe('mongodb, localhost/pets')
  })

  it('is the first of each command on a store', async () => {
    const folder = await temporaryFolder()
    const DATA_DIR = join(folder, 'store')
    for (const words of [
      ['seed', '1'],
      ['keys', 'list'],
      ['events', 'backlog', '--json'],
      ['backup', join(folder, 'copy')],
    ])
      expect((await messagesOf({ DATA_DIR }, ...words))[0]).toBe(`store: embedded, ${DATA_DIR}`)
  })

  it('is followed by the reason and the variable if MongoDB cannot be reached', async () => {
    const server = `127.0.0.1:${await freePort()}`
    const refused = `connect ECONNREFUSED ${server}`
    const MONGODB_URI = `mongodb://shop%2F:1234%2Fs%40cret@${server}/pets?appName=secret`
    expect(await messagesOf({ MONGODB_URI }, 'keys', 'list')).toStrictEqual([
      `store: mongodb, ${server}/pets`,
      `the store of MONGODB_URI cannot be used: the database did not answer within 2500 ms: ${refused}`,
    ])
  })
})

it('reads .env in the folder in which a command runs; the environment takes precedence', async () => {
  const folder = await temporaryFolder()
  /** Runs `seed 1` in a separate process with no other settings. */
  const messages = async (environment: Readonly<Record<string, string>>, code = 0): Promise<readonly string[]> => {
    const program = [...SOURCES.map((path) => resolve(path)), 'seed', '1']
    const env = { PATH: process.env['PATH'], ...environment }
    const failed = (error: unknown) => error as { readonly stderr: string; readonly code: number }
    const ended = await promisify(execFile)(process.execPath, program, { cwd: folder, env }).catch(failed)
    const { stderr } = ended
    expect('code' in ended ? ended.code : 0).toBe(code)
    return stderr.trim().split('\n')
  }
  await writeFile(join(folder, '.env'), 'DATA_DIR=./mine\nPORT=none\n')
  expect(await messages({}, 78)).toStrictEqual(['PORT: got "none", wanted an integer from 0 to 65535'])
  expect((await messages({ PORT: '', DATA_DIR: './other' }))[0]).toBe('store: embedded, ./other')
  await writeFile(join(folder, '.env'), '\ufeffDATA_DIR=./other\nprot=1\n')
  expect((await messages({ PORT: '' })).slice(0, 2)).toStrictEqual([
    '.env: line 2: prot is no setting and is ignored; PORT is one',
    'store: embedded, ./other',
  ])
  await writeFile(join(folder, '.env'), 'a line\nDATA_DIR=./other\n')
  expect(await messages({}, 78)).toStrictEqual(['.env: line 1: wanted NAME=value, a comment or nothing'])
})
