// Requests without a valid key cause few commands, however many there are, and do not use up the connections.
import { setTimeout as sleep } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { anyApiKey, numbered, range, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openHeldStore } from '../../support/mongodb/held-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

describeWith('mongodb', 'requests without a valid key', (address) => {
  const { uri } = testDatabase(address)

  it('shares one waiting ping, with one in flight', async () => {
    const { store, commands, mostAtOnce } = await openHeldStore(uri, 'ping', () => sleep(300))
    await succeed(store.ping)
    const pings: Promise<unknown>[] = []
    for (let turn = 0; turn < 10; turn += 1) {
      pings.push(...Array.from({ length: 50 }, () => succeed(store.ping)))
      await new Promise((resolve) => setImmediate(resolve))
    }
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
