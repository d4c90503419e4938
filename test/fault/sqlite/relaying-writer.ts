// A process that adds pets to the folder in its argument and relays their events, until SIGTERM. It prints each acknowledged and each
// published pet, and kills itself at the nth time of a step. Arguments: folder, step, nth.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { DEFAULT_RELAY, startRelay } from '../../../src/adapters/relay/relay-loop.js'
import { openSqliteStore } from '../../../src/adapters/sqlite/store.js'
import { readBacklog } from '../../../src/domain/events/backlog.js'
import { type DomainEvent, eventNumber } from '../../../src/domain/events/domain-event.js'
import { addPet, onAdded } from '../../../src/domain/pets/add-pet.js'
import type { EventPublisher } from '../../../src/ports/event-publisher.js'
import { succeed } from '../../../src/testing/samples.js'

const CALLERS = 8
/** One in 20 creates stops between its draw and its add, so that other creates overtake it. */
const STRAGGLERS = 20

const [directory = '', step = '', nth = '0'] = process.argv.slice(2)
const store = await succeed(openSqliteStore({ directory, notify: () => {}, reportDamage: () => process.exit(3) }))

// synchronous, so that everything is printed, whatever happens next
const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

let left = Number(nth)
const at = (name: string): void => {
  if (name !== step) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}
const around =
  <A>(name: string, call: () => Promise<A>) =>
  async (): Promise<A> => {
    at(`before ${name}`)
    const result = await call()
    at(`after ${name}`)
    return result
  }

const publish = (events: readonly DomainEvent[]) => async () => {
  for (const [index, event] of events.entries()) {
    if (index === events.length >> 1) at('within publish')
    print(`sent ${eventNumber(event)}`)
  }
  return events.map(() => ({ _tag: 'Delivered' }) as const)
}
const publisher: EventPublisher = { publish: (events) => around('publish', publish(events)) }
const relayed = {
  ...store,
  publisher,
  clock: systemClock,
  crypto: nodeCrypto,
  relay: {
    ...store.relay,
    save: (record: Parameters<typeof store.relay.save>[0]) => around('save', store.relay.save(record)),
  },
}
const relay = startRelay(relayed, { ...DEFAULT_RELAY, batchSize: 16, leaseMs: 300 }, () => {})

let draws = 0
const ids = {
  ...store.ids,
  next: around('draw', async () => {
    const drawn = await store.ids.next()
    draws += 1
    if (draws % STRAGGLERS === 0) await sleep(20)
    return drawn
  }),
}
const pets = onAdded(
  {
    ...store.pets,
    add: (record) =>
      around('add', async () => {
        const added = await store.pets.add(record)()
        if (E.isRight(added) && added.right._tag === 'Added' && added.right.id !== record.event.pet.id)
          print(`overtaken ${record.event.pet.id}`)
        return added
      }),
  },
  relay.added,
)
const add = addPet({ pets, ids, clock: systemClock, crypto: nodeCrypto })

let isOn = true
process.once('SIGTERM', () => {
  isOn = false
})
const call = async (): Promise<void> => {
  while (isOn) {
    const added = await add({ newPet: { name: 'Rex', categoryId: 7n }, idempotencyKey: O.none })()
    if (E.isRight(added)) print(`added ${added.right.pet.id}`)
  }
}
// the first relay of a store begins at its present end: a kill before that leaves out what was added
while (O.isNone(await succeed(store.relay.load))) await sleep(5)
await Promise.all(Array.from({ length: CALLERS }, call))
for (;;) {
  const backlog = await succeed(readBacklog(store))
  if (backlog.size === 0) break
  await sleep(20)
}
await relay.stop()
await store.close()
