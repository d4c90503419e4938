// The file .env: what each line means, and that no setting is silently ignored.
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { openEnvFile, readEnvFile } from '../../src/config/env-file.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const read = (content: string | Uint8Array) => {
  const file = readEnvFile(Buffer.from(content as string))
  return E.isLeft(file) ? file.left : { ...Object.fromEntries(file.right.values) }
}
const refused = (line: number, name = ''): readonly unknown[] => [
  expect.stringMatching(`^\\.env: line ${line}: ${name}wanted (?!.*m4rker)`),
]

describe('a line of .env', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['PORT=9191', { PORT: '9191' }],
    ['\ufeffPORT=9191\n', { PORT: '9191' }],
    ['\ufeff# first\r\nPORT=9191\r\n\r\nHOST=::1\r\n', { PORT: '9191', HOST: '::1' }],
    ['export PORT=1\n\texport  \tHOST=a', { PORT: '1', HOST: 'a' }],
    ['PORT=\nHOST= # m4rker\nSTORE= ', { PORT: '', HOST: '', STORE: '' }],
    [`DATA_DIR='a # $b "c" \\d\\n' # m4rker`, { DATA_DIR: 'a # $b "c" \\d\\n' }],
    ['DATA_DIR="a # \'b\'" # m4rker', { DATA_DIR: "a # 'b'" }],
    ['DATA_DIR=C:\\data dir\\n', { DATA_DIR: 'C:\\data dir\\n' }],
    ['MONGODB_URI=mongodb://u:p@a/b?c=d&e=f', { MONGODB_URI: 'mongodb://u:p@a/b?c=d&e=f' }],
    // names of others: only these are taken, the last value counts, and unclear lines are skipped
    [
      'OTEL_A=1\nOTEL_A=2\nOTEL_B=$C\nNODE_EXTRA_CA_CERTS=/ca\nNODE_TLS_REJECT_UNAUTHORIZED=0\nNODE_OPTIONS=x\nC="\n__proto__.a=1',
      { OTEL_A: '2', NODE_EXTRA_CA_CERTS: '/ca' },
    ],
    ['#PORT=1\n \t\n  # PORT=1', {}],
  ])('is read: %j', (content, values) => {
    expect(read(content)).toStrictEqual(values)
  })

  it.each<[string | Uint8Array, number, string?]>([
    ['PORT=1\n\nm4rker', 3],
    ['export PORT', 1],
    ['\ufeff\ufeffPORT=1', 1],
    ['PORT=1\rHOST=m4rker', 1],
    ['DATA_DIR=a\u2028PORT=m4rker', 1],
    ['HOST=a\nDATA_DIR=m4rker\0', 2],
    [Buffer.from('\ufeffPORT=1\nHOST=m4rker', 'utf16le'), 1],
    [Buffer.from('PORT=1\nDATA_DIR=m4rk\u00e9r', 'latin1'), 2],
    ['PORT=1\nHOST=a\nPORT=2', 3, 'PORT: '],
    ['DATA_DIR=m4rker#b', 1, 'DATA_DIR: '],
    ['DATA_DIR=#m4rker', 1, 'DATA_DIR: '],
    ['DATA_DIR=$m4rker', 1, 'DATA_DIR: '],
    ['DATA_DIR="m4rker\\new"', 1, 'DATA_DIR: '],
    ["DATA_DIR='m4rker'b", 1, 'DATA_DIR: '],
    ["DATA_DIR=m4rker's", 1, 'DATA_DIR: '],
    ['HOST=a\nMONGODB_URI_FILE="m4rker', 2, 'MONGODB_URI_FILE: '],
  ])('is refused with its number: %j', (content, line, name) => {
    expect(read(content)).toStrictEqual(refused(line, name))
  })

  it('is refused with each other one, also of a value of several lines', () => {
    expect(read('EVENTS_SECRET="m4rker\nm4rker"\nPORT=1')).toStrictEqual([
      ...refused(1, 'EVENTS_SECRET: '),
      ...refused(2),
    ])
  })
})

it('a name in .env that is no setting is told with its line but not its value, and ignored; misspelt.test.ts says which are close', () => {
  const content = 'HOST=a\nPROT=m4rker\nNODE_TLS_REJECT_UNAUTHORIZED=m4rker\nOTEL_SDK_DISABLED=true\nB=$m4rker'
  const hints = [
    '.env: line 2: PROT is no setting and is ignored; PORT is one',
    '.env: line 3: NODE_TLS_REJECT_UNAUTHORIZED is no setting and is ignored',
    '.env: line 5: B is no setting and is ignored',
  ]
  expect(readEnvFile(Buffer.from(content))).toMatchObject({ right: { hints } })
})

describe('the file .env', () => {
  it('may be absent, but must be readable', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, '.env')
    expect(openEnvFile(path)).toMatchObject(E.right({ hints: [] }))
    await writeFile(join(folder, 'file'), 'PORT=1')
    await symlink('file', path)
    expect(openEnvFile(path)).toMatchObject(E.right({ values: new Map([['PORT', '1']]) }))
    await symlink('nothing', join(folder, 'link'))
    await mkdir(join(folder, 'folder'))
    for (const name of ['link', 'folder'])
      expect(openEnvFile(join(folder, name))).toStrictEqual(E.left([expect.stringMatching(/^\.env: cannot be read: /)]))
  })
})
