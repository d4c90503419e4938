// The use cases' surroundings in memory: what happens in them depends on nothing but what a test does.
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { makeCountingCrypto } from './counting-crypto.js'
import { makeMovableClock } from './movable-clock.js'

export const makeWorld = () => ({
  ...makeMemoryStore({ isRelayed: true }),
  clock: makeMovableClock(),
  crypto: makeCountingCrypto(),
})

export type World = ReturnType<typeof makeWorld>
