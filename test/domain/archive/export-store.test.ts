import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { archiveLineText } from '../../../src/domain/archive/archive-line.js'
import { exportStore } from '../../../src/domain/archive/export-store.js'
import { damagedError, type Unavailable, unavailable } from '../../../src/domain/errors.js'
import type { Damage } from '../../../src/ports/notice.js'
import { heldRecord, liveKey, petRecord } from '../../../src/testing/contracts/archive-samples.js'
import { succeed } from '../../../src/testing/samples.js'
import { outage } from '../../support/domain/failing-ports.js'
import { saveRelay } from '../../support/domain/log-reads.js'
import { makeMovableClock } from '../../support/domain/movable-clock.js'
import { collect, heldArchive } from '../../support/stores/archive-lines.js'

const clock = makeMovableClock()
const damage: Damage = { record: 'pet', id: '9', reason: 'is not JSON' }

describe('exportStore', () => {
  it('writes a header, a line per key and record, and an end that counts them; no expired idempotency key', async () => {
    const store = makeMemoryStore()
    await succeed(store.apiKeys.add(liveKey()))
    const live = heldRecord(2, 'live', clock.now() + 1)
    const { archive } = heldArchive([petRecord(1), live, heldRecord(3, 'expired', clock.now())], [damage])
    const parts = await collect(exportStore({ ...store, archive, clock })())
    const part = (text: string, pets: number, idempotencyKeys: number, damaged: readonly Damage[] = []) =>
      E.right({ text, damaged, counts: { apiKeys: 1, pets, idempotencyKeys } })
    const [one, two, three] = [petRecord(1), live, petRecord(3)].map((record) =>
      archiveLineText({ _tag: 'PetCreated', ...record }),
    )
    const header = archiveLineText({ _tag: 'Header', version: 2, exportedAt: clock.now(), lastId: 9n })
    expect(parts).toStrictEqual([
      part(header + archiveLineText({ _tag: 'ApiKey', key: liveKey() }), 0, 0),
      part(`${one}${two}`, 2, 1, [damage]),
      part(`${three}`, 3, 1),
      part(archiveLineText({ _tag: 'End', apiKeys: 1, records: 3 }), 3, 1),
    ])
  })

  it('ends with the failure, and without an end line, if a port is unavailable', async () => {
    const store = { ...makeMemoryStore(), ...heldArchive([petRecord(1), petRecord(2), petRecord(3)]), clock }
    const { archive, relay, apiKeys } = store
    const failing = [
      { archive: { ...archive, lastId: TE.left(outage) } },
      { relay: { ...relay, load: TE.left(outage) } },
      { apiKeys: { ...apiKeys, list: TE.left(outage) } },
      { archive: { ...archive, read: () => TE.left(outage) } },
    ]
    const lengths = []
    for (const one of failing) {
      const parts = await collect(exportStore({ ...store, ...one })())
      expect(parts.at(-1)).toStrictEqual(E.left(outage))
      lengths.push(parts.length)
    }
    expect(lengths).toStrictEqual([1, 1, 1, 2])
  })

  it('writes the position of the relay before the pets', async () => {
    const store = makeMemoryStore()
    await saveRelay(store, 2, [1], [{ number: 1, reason: 'too large' }])
    const parts = await collect(exportStore({ ...store, ...heldArchive([petRecord(1)]), clock })())
    const text = parts.map((part) => (E.isRight(part) ? part.right.text : '')).join('')
    expect(text.split('\n')[1]).toBe('{"kind":"relay","position":2,"retry":[1],"hasSent":true}')
  })

  it('names a damaged record of the relay, and hides nothing else', async () => {
    const store = makeMemoryStore()
    const damaged: Damage = { record: 'relay record', id: 'events', reason: 'is not JSON' }
    const load = TE.left<Unavailable>(unavailable(damagedError('damaged', damaged)))
    const ports = { ...store, ...heldArchive([petRecord(1)]), relay: { ...store.relay, load }, clock }
    const parts = await collect(exportStore(ports)())
    expect(parts[0]).toMatchObject(E.right({ damaged: [damaged] }))
    expect(parts.at(-1)).toMatchObject(E.right({ counts: { pets: 1 } }))
  })
})
