// The relay of the store during an import.
import * as E from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { type ArchiveLine, archiveLineText } from '../../../src/domain/archive/archive-line.js'
import { importStore } from '../../../src/domain/archive/import-store.js'
import { petRecord, succeed } from '../../../src/testing/samples.js'
import { saveRelay } from '../../support/domain/log-reads.js'
import { makeMovableClock } from '../../support/domain/movable-clock.js'
import { collect, heldArchive } from '../../support/stores/archive-lines.js'

const HEADER: ArchiveLine = { _tag: 'Header', version: 1, exportedAt: 0, records: 1 }
const END: ArchiveLine = { _tag: 'End', apiKeys: 0, pets: 1, idempotencyKeys: 0 }

it.each([
  ['completes', archiveLineText(END)],
  ['stops', '{'],
])('lets the relay of the store go on once it %s', async (_, last) => {
  const { archive } = heldArchive([], () => ({ _tag: 'Added' }))
  const store = makeMemoryStore()
  await saveRelay(store, 0)
  const lines = async function* () {
    for (const line of [archiveLineText(HEADER), archiveLineText(petRecord(1)), last]) yield E.right(line)
  }
  await collect(importStore({ ...store, archive, clock: makeMovableClock() })(lines()))
  const record = await succeed(store.relay.load)
  expect(record).toMatchObject({ value: { version: 4 } })
  expect(record).not.toHaveProperty('value.holder')
})
