import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { makeCountingCrypto } from './counting-crypto.js'
import { makeMovableClock } from './movable-clock.js'

export const makeWorld = () => ({
  ...makeMemoryStore(),
  clock: makeMovableClock(),
  crypto: makeCountingCrypto(),
})

export type World = ReturnType<typeof makeWorld>
