// An import into a store that has another record; and commands on more records than their pages and batches hold.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { addTo, petRecord } from '../../../src/testing/contracts/archive-samples.js'
import { eventOf, numbered, range, recordOf, succeed } from '../../../src/testing/samples.js'
import { DAMAGED_NAME, damagePets, openStoreIn } from '../../adapters/sqlite/open-store.js'
import { runCommand } from '../../support/processes/run-command.js'
import { temporaryFolder, temporaryPath } from '../../support/runner/temporary-folder.js'

it('an import stops at the first line at which the store has another record, and changes nothing', async () => {
  const folder = await temporaryFolder()
  const file = (name: string): string => join(folder, `${name}.jsonl`)
  const run = (place: string, ...words: readonly string[]) => runCommand({ DATA_DIR: join(folder, place) }, ...words)
  const linesIn = async (name: string) => (await readFile(file(name), 'utf8')).split('\n').slice(1)
  for (const [place, name] of Object.entries({ target: 'x', source: 'y' })) {
    const store = await openStoreIn(join(folder, place))
    await addTo(store.archive, petRecord(1), petRecord(2, { name, categoryId: 1n }))
    await store.close()
  }
  await run('source', 'export', file('export'))
  await run('target', 'export', file('before'))
  const stderr = 'line 4: the store has another pet with the id 2\n'
  expect(await run('target', 'import', file('export'), '--json')).toStrictEqual({ code: 1, stdout: '', stderr })
  await run('target', 'export', file('after'))
  expect(await linesIn('after')).toStrictEqual(await linesIn('before'))
})

const COUNT = 2_001
/** All at one instant, so that no boundary falls between two times. */
const TIME = Date.UTC(2026, 0, 1)

it('commands see 2,001 pets of one instant: replay, export, import, and damage', async () => {
  const folder = await temporaryPath()
  const store = await openStoreIn(folder)
  const recordAt = (id: number) => recordOf(eventOf(numbered(id), { time: TIME }), O.none)
  await Promise.all(range(1, COUNT).map((id) => succeed(store.pets.add(recordAt(id)))))
  await store.close()
  const file = join(dirname(folder), 'export.jsonl')
  const other = join(dirname(folder), 'other')
  const run = async (directory: string, ...words: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runCommand({ DATA_DIR: directory }, ...words, '--json')
    expect({ words, code, stderr: stderr.slice(0, 200) }).toMatchObject({ code: 0 })
    return stdout === '' ? undefined : JSON.parse(stdout)
  }
  expect(await run(folder, 'events', 'replay', '--from', '2026-01-01T00:00:00Z')).toEqual({ replayed: COUNT })
  expect(await run(folder, 'events', 'backlog')).toMatchObject({ backlog: COUNT })
  await run(folder, 'export', file)
  expect(await run(other, 'import', file)).toMatchObject({ pets: { added: COUNT, unchanged: 0 } })
  expect(await run(other, 'import', file)).toMatchObject({ pets: { added: 0, unchanged: COUNT } })

  damagePets(folder, ...range(1, 1_001))
  const { code, stdout, stderr } = await runCommand({ DATA_DIR: folder }, 'export', `${file}-2`, '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { pets: COUNT - 1_001, damaged: 1_001 }])
  const named = range(1, 1_001).map((id) => `damaged pet ${id}: ${DAMAGED_NAME}`)
  expect(stderr.trim().split('\n')).toStrictEqual([...named, 'damaged records that are left out: 1001'])
})
