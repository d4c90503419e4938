// Export and import as processes: over a pipe, killed half way, and with a reader that is gone.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import type { ArchivedStore } from '../../../src/ports/store.js'
import { addTo, petRecord, range, readAll, succeed } from '../../../src/testing/samples.js'
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
    const source = await openStoreIn(join(folder, 'source'))
    for (let first = 1; first <= PETS; first += 500) {
      await addTo(source.archive, ...range(first, first + 499).map((id) => petRecord(id)))
    }
    await source.close()
    await runCommand({ DATA_DIR: join(folder, 'source') }, 'export', file)
    target = await openStoreIn(join(folder, 'target'))
  })

  const start = (name: string, ...words: readonly string[]): ChildProcess =>
    spawn(process.execPath, [...SOURCES, ...words], {
      env: childEnvironment({ DATA_DIR: join(folder, name) }),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  const count = (): Promise<number> => succeed(target.pets.count(ALL_PETS))
  const expectWhole = async (): Promise<void> => {
    const source = await openStoreIn(join(folder, 'source'))
    expect(await readAll(target.archive)).toStrictEqual(await readAll(source.archive))
  }

  it('continue where a killed import has stopped', async () => {
    const text = await readFile(file, 'utf8')
    const cut = start('target', 'import')
    cut.stdin?.write(text.slice(0, text.length / 2))
    await eventually(async () => expect(await count()).toBeGreaterThan(1_000))
    cut.kill('SIGKILL')
    await once(cut, 'close')
    const imported = await count()
    expect(imported).toBeLessThan(PETS)
    const { code, stdout } = await runCommand({ DATA_DIR: join(folder, 'target') }, 'import', file, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ pets: { added: PETS - imported, unchanged: imported } })
    await expectWhole()
  })

  it('work over a pipe', async () => {
    const [source, sink] = [start('source', 'export'), start('target', 'import', '--json')]
    if (sink.stdin !== null) source.stdout?.pipe(sink.stdin)
    const [[exported], [imported]] = await Promise.all([once(source, 'close'), once(sink, 'close')])
    expect([exported, imported]).toStrictEqual([0, 0])
    await expectWhole()
  })

  it('fail without a reason if the reader of the export is gone', async () => {
    const source = start('source', 'export')
    let message = ''
    source.stderr?.setEncoding('utf8').on('data', (text: string) => {
      message += text
    })
    source.stdout?.once('data', () => source.stdout?.destroy())
    expect(await once(source, 'close')).toStrictEqual([1, null])
    expect(message).toMatch(/^store: [^\n]*\n$/)
  })
})
