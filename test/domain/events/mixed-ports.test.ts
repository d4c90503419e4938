import { describe, expect, it } from 'vitest'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { DEFAULT_RELAY, startRelay } from '../../../src/adapters/relay/relay-loop.js'
import { makeFetchHandler } from '../../../src/composition/make-fetch-handler.js'
import { DEFAULT_SETTINGS, makeListener } from '../../../src/composition/make-listener.js'
import { DEFAULT_HANDLER } from '../../../src/composition/use-cases.js'

describe('ports of two storages, whose events would be lost', () => {
  const rest = { publisher: makeInProcessPublisher([]), clock: systemClock, crypto: nodeCrypto }
  const starts = {
    makeFetchHandler: (ports: ReturnType<typeof makeMemoryStore> & typeof rest) =>
      makeFetchHandler(ports, DEFAULT_HANDLER),
    makeListener: (ports) => makeListener(ports, DEFAULT_SETTINGS),
    startRelay: (ports) => startRelay(ports, DEFAULT_RELAY, () => {}),
  } satisfies Record<string, (ports: ReturnType<typeof makeMemoryStore> & typeof rest) => unknown>

  it.each([
    ['makeFetchHandler', 'pets'],
    ['makeFetchHandler', 'ids'],
    ['makeFetchHandler', 'log'],
    ['makeListener', 'pets'],
    ['startRelay', 'log'],
    ['startRelay', 'relay'],
  ] as const)('are refused by %s: %s', (start, port) => {
    const ports = { ...makeMemoryStore(), ...rest, [port]: makeMemoryStore()[port] }
    expect(() => starts[start](ports)).toThrow('belong to different storages')
  })
})
