// Export and import as processes: over a pipe, and killed halfway.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import type { ArchivedStore } from '../../../src/ports/store.js'
import { readAll } from '../../../src/testing/contracts/archive-samples.js'
import { succeed } from '../../../src/testing/samples.js'
import { openStoreIn } from '../../adapters/sqlite/open-store.js'
import { childEnvironment } from '../../support/processes/child-environment.js'
import { SOURCES } from '../../support/processes/cli-process.js'
import { runCommand } from '../../support/processes/run-command.js'
import { eventually } from '../../support/runner/eventually.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const PETS = 3_000

describe('animal-store export and import, as processes,', { timeout: 60_000 }, () => {
  let folder: string
  let file: string
  let target: ArchivedStore
  beforeEach(async () => {
    folder = await temporaryFolder()
    file = join(folder, 'export.jsonl')
    for (const words of [
      ['seed', String(PETS)],
      ['export', file],
    ])
      await runCommand({ DATA_DIR: join(folder, 'source') }, ...words)
    target = await openStoreIn(join(folder, 'target'))
  })

  const start = (name: string, ...words: readonly string[]): ChildProcess =>
    spawn(process.execPath, [...SOURCES, ...words], {
      env: childEnvironment({ DATA_DIR: join(folder, name) }),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  const count = (): Promise<number> => succeed(target.pets.count(ALL_PETS))

  it('work over a pipe, and continue where a killed import has stopped', async () => {
    const text = await readFile(file, 'utf8')
    const cut = start('target', 'import')
    cut.stdin?.write(text.slice(0, text.length / 2))
    await eventually(async () => expect(await count()).toBeGreaterThan(1_000))
    cut.kill('SIGKILL')
    await once(cut, 'close')
    const imported = await count()
    expect(imported).toBeLessThan(PETS)
    const [from, to] = [start('source', 'export'), start('target', 'import', '--json')]
    if (to.stdin !== null) from.stdout?.pipe(to.stdin)
    let printed = ''
    to.stdout?.setEncoding('utf8').on('data', (part: string) => {
      printed += part
    })
    const [[exported], [continued]] = await Promise.all([once(from, 'close'), once(to, 'close')])
    expect([exported, continued]).toStrictEqual([0, 0])
    expect(JSON.parse(printed)).toMatchObject({ pets: { added: PETS - imported, unchanged: imported } })
    const source = await openStoreIn(join(folder, 'source'))
    expect(await readAll(target.archive)).toStrictEqual(await readAll(source.archive))
  })
})
