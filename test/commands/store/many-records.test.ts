// What works through a store in pages and batches reaches the records beyond their bounds: 2,001 is one more than twice the largest.
import { dirname, join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { eventOf, numbered, range, recordOf, succeed } from '../../../src/testing/samples.js'
import { DAMAGED_NAME, damagePets, openStoreIn } from '../../adapters/sqlite/open-store.js'
import { runCommand } from '../../support/processes/run-command.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

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
  const named = range(1, 1_000).map((id) => `damaged pet ${id}: ${DAMAGED_NAME}`)
  expect(stderr.trim().split('\n')).toStrictEqual([...named, 'damaged records that are left out: 1001'])
})
