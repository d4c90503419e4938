import { expect, it } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { runService } from '../support/http/running-service.js'

it('a stop ends although the store never closes', async () => {
  const store = makeMemoryStore()
  let isClosing = false
  const close = (): Promise<never> => {
    isClosing = true
    return new Promise<never>(() => {})
  }
  const { stop } = await runService({ drainMs: 0 }, { store: { ...store, close } })
  expect(await stop()).toBe(true)
  expect(isClosing).toBe(true)
})
