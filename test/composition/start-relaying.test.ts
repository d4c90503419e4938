import { expect, it } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../src/adapters/node/system.js'
import { startRelaying } from '../../src/composition/start-relaying.js'
import { numbered, record, succeed } from '../../src/testing/samples.js'
import { makeGate } from '../support/runner/gate.js'

it('a stop ends what a receiver keeps waiting, and another relay can take over at once', async () => {
  const store = makeMemoryStore()
  await succeed(store.pets.add(record(numbered(1))))
  const [published, closed] = [makeGate(), makeGate()]
  const publisher = {
    publish: () => async () => {
      published.open()
      await closed.opened
      return [{ _tag: 'Failed', reason: 'closed' } as const]
    },
    close: async () => closed.open(),
  }
  const relaying = startRelaying({ ...store, publisher, clock: systemClock, crypto: nodeCrypto }, () => {})
  await published.opened
  await relaying.stop(2_000)
  const { relay } = store
  expect(await succeed(relay.load)).toMatchObject({ value: { position: 0 } })
  expect(await succeed(relay.load)).not.toHaveProperty('value.holder')
})
