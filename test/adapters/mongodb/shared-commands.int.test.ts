// What is slow or comes in numbers shares few commands: exact counts, pings and requests without a valid key.

import { setTimeout as sleep } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, expect, it } from 'vitest'
import { DEADLINES, type Deadlines } from '../../../src/adapters/mongodb/connection/connection.js'
import { PET_STATUSES } from '../../../src/domain/pets/pet.js'
import { ALL_PETS, type PetFilter } from '../../../src/domain/pets/pet-query.js'
import type { Store } from '../../../src/ports/store.js'
import { addAll, anyApiKey, fail, numbered, range, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { openHeldStore } from '../../support/mongodb/proxied-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { makeGate } from '../../support/runner/gate.js'
import { boundMs } from '../../support/runner/night.js'

describeWith('mongodb', 'exact counts in a slow MongoDB', (address) => {
  const { uri, clear } = testDatabase(address)
  beforeEach(async () => {
    await succeed(openStoreOf(uri).ping)
    await clear()
  })

  /** A store with three pets and counts with this delay. */
  const counting = async (hold: () => Promise<unknown>, deadlines: Partial<Deadlines> = {}) => {
    const held = await openHeldStore(uri, 'aggregate', hold, deadlines)
    await addAll(
      held.store.pets,
      range(1, 3).map((id) => numbered(id)),
    )
    return held
  }
  const create = async ({ ids, pets }: Store): Promise<void> => {
    await succeed(pets.add(record(numbered(await succeed(ids.next)))))
  }
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const begin = performance.now()
    await work()
    return performance.now() - begin
  }

  it('share few commands, and delay no create', async () => {
    const { store, commands, mostAtOnce } = await counting(() => sleep(800))
    await Promise.all(range(1, 3).map(() => succeed(store.ids.next)))
    const filters = PET_STATUSES.map((status): PetFilter => ({ ...ALL_PETS, status: O.some(status) }))
    const counts = Array.from({ length: 64 }, (_, at) => store.pets.count(filters[at % filters.length] ?? ALL_PETS)())
    const creates = await Promise.all(Array.from({ length: 40 }, () => timed(() => create(store))))
    expect(Math.max(...creates)).toBeLessThan(boundMs(800))
    expect((await Promise.all(counts)).every(({ _tag }) => _tag === 'Right')).toBe(true)
    expect(mostAtOnce()).toBe(2)
    expect(commands()).toBe(filters.length)
  })

  it('fails a count after 3.5 s, and does not repeat it', async () => {
    const { countMs } = DEADLINES
    const { store, commands } = await counting(() => new Promise(() => {}), { countMs })
    expect(await timed(() => fail(store.pets.count(ALL_PETS)))).toBeLessThan(boundMs(4_000))
    await sleep(200)
    expect(commands()).toBe(1)
  })
})

describeWith('mongodb', 'requests without a valid key', (address) => {
  const { uri } = testDatabase(address)

  it('shares one waiting ping, with one in flight', async () => {
    let held = Promise.resolve()
    const { store, commands, mostAtOnce } = await openHeldStore(uri, 'ping', () => held)
    await succeed(store.ping)
    const asked = makeGate()
    held = asked.opened
    const pings: Promise<unknown>[] = []
    for (let turn = 0; turn < 10; turn += 1) {
      pings.push(...Array.from({ length: 50 }, () => succeed(store.ping)))
      await new Promise((resolve) => setImmediate(resolve))
    }
    asked.open()
    await Promise.all(pings)
    expect(mostAtOnce()).toBe(1)
    expect(commands()).toBeLessThanOrEqual(3)
  })

  it('shares the look-ups of unknown keys, while honest clients are authenticated and create pets', async () => {
    const { store, commands, mostAtOnce } = await openHeldStore(uri, 'find', () => sleep(100))
    await succeed(store.apiKeys.add(anyApiKey))
    const before = commands()
    const strangers = range(1, 500).map((at) => succeed(store.apiKeys.find(`unknown-${at}`)))
    const honest = succeed(store.apiKeys.find(anyApiKey.id))
    const creates = range(1, 20).map((id) => succeed(store.pets.add(record(numbered(id)))))
    expect(await honest).toStrictEqual(O.some(anyApiKey))
    expect((await Promise.all(strangers)).every(O.isNone)).toBe(true)
    await Promise.all(creates)
    expect(mostAtOnce()).toBeLessThanOrEqual(2)
    expect(commands() - before).toBeLessThanOrEqual(6)
  })
})
