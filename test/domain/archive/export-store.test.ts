import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { archiveLineText } from '../../../src/domain/archive/archive-line.js'
import { exportStore } from '../../../src/domain/archive/export-store.js'
import { damagedError, type Unavailable, unavailable } from '../../../src/domain/errors.js'
import type { Damage } from '../../../src/ports/notice.js'
import { heldKey, keyRecord, petRecord, state } from '../../../src/testing/contracts/archive-samples.js'
import { outage } from '../../support/domain/failing-ports.js'
import { saveRelay } from '../../support/domain/log-reads.js'
import { makeMovableClock } from '../../support/domain/movable-clock.js'
import { collect, heldArchive } from '../../support/stores/archive-lines.js'

const clock = makeMovableClock()
const { relay } = makeMemoryStore()
const damage: Damage = { record: 'pet', id: '9', reason: 'is not JSON' }

describe('exportStore', () => {
  it('writes a header, a line per record, and an end that counts them', async () => {
    const first = [state(9n), keyRecord()]
    const second = [petRecord(1), { _tag: 'Damaged', damage } as const, petRecord(2), heldKey(2)]
    const parts = await collect(exportStore({ archive: heldArchive([first, second]).archive, relay, clock })())
    const lines = [...first, petRecord(1), petRecord(2), heldKey(2)].map(archiveLineText)
    const header = archiveLineText({ _tag: 'Header', version: 1, exportedAt: clock.now() })
    const end = archiveLineText({ _tag: 'End', apiKeys: 1, pets: 2, idempotencyKeys: 1 })
    const part = (
      text: string,
      apiKeys: number,
      pets: number,
      idempotencyKeys: number,
      damaged: readonly Damage[] = [],
    ) => E.right({ text, damaged, counts: { apiKeys, pets, idempotencyKeys } })
    expect(parts).toStrictEqual([
      part(header, 0, 0, 0),
      part(lines.slice(0, 2).join(''), 1, 0, 0),
      part(lines.slice(2).join(''), 1, 2, 1, [damage]),
      part(end, 1, 2, 1),
    ])
  })

  it('ends with the failure, and without an end line, if the store is unavailable', async () => {
    const { archive } = heldArchive([[petRecord(1)], outage, [petRecord(2)]])
    const parts = await collect(exportStore({ archive, relay, clock })())
    expect(parts).toHaveLength(3)
    expect(parts.at(-1)).toStrictEqual(E.left(outage))
  })

  it('writes the position of the relay before the pets', async () => {
    const store = makeMemoryStore()
    const parked = [{ number: 1, reason: 'too large' }]
    await saveRelay(store, 2, [1], parked)
    const { archive } = heldArchive([[petRecord(1)]])
    const parts = await collect(exportStore({ ...store, archive, clock })())
    const text = parts.map((part) => (E.isRight(part) ? part.right.text : '')).join('')
    expect(text.split('\n')[1]).toBe('{"kind":"relay","position":2,"retry":[1],"hasSent":true}')
  })

  it('names a damaged record of the relay, and hides nothing else; any other failure ends it', async () => {
    const { archive } = heldArchive([[petRecord(1)]])
    const damaged: Damage = { record: 'relay record', id: 'events', reason: 'is not JSON' }
    const exported = (failure: Unavailable) =>
      collect(exportStore({ archive, relay: { ...relay, load: TE.left(failure) }, clock })())
    const parts = await exported(unavailable(damagedError('damaged', damaged)))
    expect(parts[1]).toMatchObject(E.right({ text: '', damaged: [damaged] }))
    expect(parts.at(-1)).toMatchObject(E.right({ counts: { pets: 1 } }))
    expect(await exported(outage)).toStrictEqual([E.left(outage)])
  })
})
