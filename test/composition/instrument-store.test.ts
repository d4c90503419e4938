import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { expect, it } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { instrumentStore } from '../../src/composition/instrument-store.js'
import type { Unavailable } from '../../src/domain/errors.js'
import { ALL_PETS, MAX_LIMIT } from '../../src/domain/pets/pet-query.js'
import type { Instrument, StoreOperation } from '../../src/ports/store.js'
import { anyApiKey, numbered, record } from '../../src/testing/samples.js'

it('shows every call of a store to each observer under its own name, and returns its result', async () => {
  const store = makeMemoryStore()
  const seen: StoreOperation[] = []
  const observer =
    (operation: StoreOperation): Instrument =>
    (call) =>
    () => {
      seen.push(operation)
      return call()
    }
  const {
    pets,
    ids,
    apiKeys,
    log = store.log,
    relay = store.relay,
    ping,
  } = instrumentStore(store, [observer, observer])
  const calls: Readonly<Record<StoreOperation, TaskEither<Unavailable, unknown>>> = {
    'pets.add': pets.add(record(numbered(1))),
    'pets.findByIdempotencyKey': pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 0),
    'pets.findById': pets.findById(1n),
    'pets.findPage': pets.findPage({ ...ALL_PETS, limit: MAX_LIMIT, before: O.none }),
    'pets.count': pets.count(ALL_PETS),
    'ids.next': ids.next,
    'apiKeys.add': apiKeys.add(anyApiKey),
    'apiKeys.addFirst': apiKeys.addFirst(anyApiKey),
    'apiKeys.find': apiKeys.find(anyApiKey.id),
    'apiKeys.list': apiKeys.list,
    'apiKeys.change': apiKeys.change(anyApiKey.id, { lastUsedAt: O.some(5) }),
    'apiKeys.removeEnded': apiKeys.removeEnded(0),
    'log.read': log.read({ after: 0, limit: 1 }),
    'log.head': log.head,
    'relay.load': relay.load,
    'relay.save': relay.save({ position: 0, retry: [], parked: [], hasSent: false, leaseMs: 1, version: 1 }),
    ping,
  }
  for (const [name, call] of Object.entries(calls)) {
    expect([name, (await call())._tag]).toStrictEqual([name, 'Right'])
    expect(seen.splice(0)).toStrictEqual([name, name])
  }
})
