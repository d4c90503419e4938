// The unit agrees with the settings and the exit codes of the service.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { BAD_CONFIGURATION, STORE_LOST } from '../../src/commands/command.js'
import { blocksIn, pagesIn } from '../support/documents/markdown.js'
import { configOf } from '../support/processes/config-of.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const FOLDER = 'deploy/systemd'

const unitText = readFileSync(`${FOLDER}/animal-store.service`, 'utf8')
const dropInText = readFileSync(`${FOLDER}/mongodb.conf`, 'utf8')

const valuesOf = (text: string, key: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1))

const environmentOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    valuesOf(text, 'Environment').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )

it('keeps the embedded store in the folder that systemd makes for the service alone', () => {
  const config = configOf(environmentOf(unitText))
  const [folder = ''] = valuesOf(unitText, 'StateDirectory')
  expect(config.store).toEqual({ _tag: 'embedded', directory: `/var/lib/${folder}` })
  expect(valuesOf(unitText, 'StateDirectoryMode')).toEqual(['0700'])
})

it('takes the address of MongoDB from a credential', async () => {
  const folder = await temporaryFolder()
  const [credential = ''] = valuesOf(dropInText, 'LoadCredential')
  const uri = 'mongodb://user:secret@localhost/pets'
  await writeFile(join(folder, credential.split(':')[0] ?? ''), uri)
  const { MONGODB_URI_FILE = '', ...others } = environmentOf(dropInText)
  expect(MONGODB_URI_FILE).toBe(`%d/${basename(MONGODB_URI_FILE)}`)
  const config = configOf({
    ...environmentOf(unitText),
    ...others,
    MONGODB_URI_FILE: MONGODB_URI_FILE.replace('%d', folder),
  })
  expect(config.store).toEqual({ _tag: 'mongodb', uri })
})

it('waits for a stop to end before it kills the process', () => {
  const { drainMs, shutdownMs } = configOf(environmentOf(unitText))
  expect(Number(valuesOf(unitText, 'TimeoutStopSec')[0]) * 1_000).toBeGreaterThanOrEqual(drainMs + shutdownMs + 5_000)
})

it('restarts a service that crashed, but not one whose settings are bad', () => {
  expect(valuesOf(unitText, 'Restart')).toEqual(['on-failure'])
  expect(valuesOf(unitText, 'RestartPreventExitStatus')).toEqual([`${STORE_LOST} ${BAD_CONFIGURATION}`])
})

it('is served by commands that do not start in a folder that its user cannot enter, such as /root', () => {
  const blocks = pagesIn('.').flatMap(({ text }) => blocksIn(text, ['sh']))
  const lines = blocks.flatMap(({ text }) => text.split('\n')).filter((line) => line.includes('runuser -u'))
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.filter((line) => !line.startsWith('cd / && '))).toStrictEqual([])
})

it('loses no line of the log to the rate limit of journald', () => {
  const limits = ['IntervalSec', 'Burst'].map((key) => valuesOf(unitText, `LogRateLimit${key}`)[0])
  expect(limits).toEqual(['1s', '1000000'])
})
