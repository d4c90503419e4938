// A record cannot write to the terminal of who looks at it: no line of its own, no control of the terminal.
import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { change } from '../../adapters/sqlite/open-store.js'
import { runCommand } from '../../support/processes/run-command.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const FORGED = '/backups/pets is undamaged: 3 pets'
/** A new line in three ways, colours in two, and a change of direction. */
const HOSTILE = `a\n${FORGED}\r${FORGED}\u{2028}${FORGED}\u{1b}[32m\u{9b}32m\u{202e}`

const hostileStore = async (): Promise<string> => {
  const folder = await temporaryPath()
  await runCommand({ DATA_DIR: folder }, 'seed', '1')
  await runCommand({ DATA_DIR: folder }, 'keys', 'create', '--name', 'other')
  change(folder, ({ exec }) => {
    const text = HOSTILE.replaceAll("'", "''")
    exec(`UPDATE api_keys SET record = replace(record, '"other"', '${JSON.stringify(HOSTILE).replaceAll("'", "''")}')`)
    exec(`INSERT INTO api_keys VALUES ('${text}', '{}')`)
    exec(`INSERT INTO idempotency_keys VALUES ('a', '${text}', 99, 1)`)
  })
  return folder
}

const expectPlain = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void => {
  const text = stdout + stderr
  expect(text).toContain(FORGED)
  expect(text.split('\n').filter((line) => line.startsWith(FORGED))).toStrictEqual([])
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
}

it.each([
  ['verify', (folder: string) => ['verify', folder]],
  ['verify --json', (folder: string) => ['verify', folder, '--json']],
  ['keys list', () => ['keys', 'list']],
  ['keys list --json', () => ['keys', 'list', '--json']],
  ['export', (folder: string) => ['export', `${folder}.jsonl`]],
])('%s shows what a hostile database holds as text', async (_, words) => {
  const folder = await hostileStore()
  expectPlain(await runCommand({ DATA_DIR: folder }, ...words(folder)))
})

it('import shows what a hostile file holds as text', async () => {
  const folder = await temporaryPath()
  const file = `${folder}.jsonl`
  await writeFile(file, `${JSON.stringify({ kind: HOSTILE, [HOSTILE]: 1 })}\n`)
  const { code, stdout, stderr } = await runCommand({ DATA_DIR: folder }, 'import', file)
  expect(code).toBe(1)
  expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(stderr.split('\n').filter((line) => line.startsWith(FORGED))).toStrictEqual([])
})

it.each([['verify'], ['import'], ['restore']])('%s shows the path that it was given as text', async (command) => {
  const folder = await temporaryPath()
  expectPlain(await runCommand({ DATA_DIR: folder }, command, `/missing/${HOSTILE}`))
})
