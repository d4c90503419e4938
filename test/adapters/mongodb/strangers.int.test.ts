// What anybody may ask without a good key takes few commands, however many ask, and no connection from the others.
import { setTimeout as sleep } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { numbered, range, record } from '../../../src/testing/contracts/pet-samples.js'
import { succeed } from '../../../src/testing/outcome.js'
import { anyApiKey } from '../../support/any-api-key.js'
import { describeWith } from '../../support/describe-with.js'
import { openHeldStore } from '../../support/held-store.js'
import { testDatabase } from '../../support/test-database.js'

describeWith('mongodb', 'strangers at MongoDB', (address) => {
  const { uri } = testDatabase(address)

  it('share the ping that waits, one in flight', async () => {
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

  it('share the look-ups of keys that nobody has, and honest callers find theirs and create pets', async () => {
    const { store, commands, mostAtOnce } = await openHeldStore(uri, 'find', () => sleep(100))
    await succeed(store.apiKeys.add(anyApiKey))
    // as every create does: with the id comes whether events are queued, which is looked up otherwise
    await succeed(store.ids.next)
    const before = commands()
    const strangers = range(1, 500).map((at) => succeed(store.apiKeys.find(`unknown-${at}`)))
    const honest = succeed(store.apiKeys.find(anyApiKey.id))
    const creates = range(1, 20).map((id) => succeed(store.pets.add(record(numbered(id)))))
    expect(await honest).toStrictEqual(O.some(anyApiKey))
    expect((await Promise.all(strangers)).every(O.isNone)).toBe(true)
    await Promise.all(creates)
    // two look-ups of keys, and one of the counter, by which the creates learn whether the store is relayed
    expect(mostAtOnce()).toBeLessThanOrEqual(3)
    expect(commands() - before).toBeLessThanOrEqual(7)
  })
})
