import { expect, it } from 'vitest'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { DEFAULT_RELAY, startRelay } from '../../../src/adapters/relay/relay-loop.js'
import { makeFetchHandler } from '../../../src/composition/make-fetch-handler.js'
import { DEFAULT_SETTINGS, makeListener } from '../../../src/composition/make-listener.js'
import { DEFAULT_HANDLER } from '../../../src/composition/use-cases.js'

const rest = { publisher: makeInProcessPublisher([]), clock: systemClock, crypto: nodeCrypto }
type AllPorts = ReturnType<typeof makeMemoryStore> & typeof rest

it.each<[string, (ports: AllPorts) => unknown, readonly (keyof AllPorts)[]]>([
  ['makeFetchHandler', (ports) => makeFetchHandler(ports, DEFAULT_HANDLER), ['pets', 'ids', 'log']],
  ['makeListener', (ports) => makeListener(ports, DEFAULT_SETTINGS), ['pets']],
  ['startRelay', (ports) => startRelay(ports, DEFAULT_RELAY, () => {}), ['log', 'relay']],
])('ports of two storages, whose events would be lost, are refused by %s', (_, start, foreign) => {
  for (const port of foreign) {
    const ports = { ...makeMemoryStore(), ...rest, [port]: makeMemoryStore()[port as 'pets'] }
    expect(() => start(ports)).toThrow('belong to different storages')
  }
})
