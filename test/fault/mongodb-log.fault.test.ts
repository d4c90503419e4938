// The database is killed between the steps of reads and creates: no event is lost, and none appears where a reader has passed.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { beforeAll, expect, it } from 'vitest'
import { DEADLINES } from '../../src/adapters/mongodb/connection/connection.js'
import { nodeCrypto, systemClock } from '../../src/adapters/node/system.js'
import { eventNumber } from '../../src/domain/events/domain-event.js'
import { addPet } from '../../src/domain/pets/add-pet.js'
import type { Store } from '../../src/ports/store.js'
import { create, readThrough } from '../../src/testing/contracts/event-log-samples.js'
import { succeed } from '../../src/testing/samples.js'
import { mongodbContainer } from '../support/containers/containers.js'
import { describeWith } from '../support/containers/describe-with.js'
import { launchSteered, type SteeredContainer } from '../support/containers/steered-container.js'
import { openStoreOf } from '../support/mongodb/mongo-store.js'
import { steering } from '../support/mongodb/wire-taps.js'
import { freePort } from '../support/network/free-port.js'
import { launchProxy, type TcpProxy } from '../support/network/tcp-proxy.js'
import { eventually } from '../support/runner/eventually.js'
import { byNight } from '../support/runner/night.js'

const PATIENCE_MS = 1_500
const WRITERS = 8

describeWith('mongodb-container', 'the log on a MongoDB that is killed', () => {
  let server: SteeredContainer
  let proxy: TcpProxy
  let uri: string
  /** The database is restarted after the n-th reply to this command. */
  let trigger = { command: '', left: Number.POSITIVE_INFINITY }
  let restarting: Promise<unknown> = Promise.resolve()

  beforeAll(async () => {
    const host = await freePort()
    server = await launchSteered(mongodbContainer(), { container: 27_017, host })
    const restart = async (): Promise<void> => {
      await server.kill()
      await server.start()
    }
    proxy = await launchProxy(
      host,
      steering((command) => {
        if (command !== trigger.command) return 'pass'
        trigger.left -= 1
        if (trigger.left !== 0) return 'pass'
        restarting = restart()
        // the reply of the killed process still arrives
        return 'pass'
      }),
    )
    uri = `mongodb://127.0.0.1:${proxy.port}/animal_store_test?directConnection=true`
    return async () => {
      await proxy.close()
      await server.remove()
    }
  })

  /** Creates pets until `isOver`; returns the acknowledged ids. */
  const writing = (store: Store, isOver: () => boolean) => {
    const creating = addPet({ ...store, clock: systemClock, crypto: nodeCrypto })
    return Promise.all(
      Array.from({ length: WRITERS }, async () => {
        const ids: number[] = []
        while (!isOver()) {
          const added = await creating({ newPet: { name: 'Rex', categoryId: 7n }, idempotencyKey: O.none })()
          if (E.isRight(added)) ids.push(Number(added.right.pet.id))
          else await sleep(20)
        }
        return ids
      }),
    )
  }

  const reading = (store: Store, isOver: () => boolean) => {
    const seen: number[] = []
    const reader = { position: 0, seen, ended: Promise.resolve() }
    const read = async (): Promise<void> => {
      while (!isOver()) {
        const page = await store.log.read({ after: reader.position, limit: 20 })()
        if (E.isLeft(page)) {
          await sleep(20)
          continue
        }
        seen.push(...page.right.events.map(eventNumber))
        reader.position = page.right.upTo
      }
    }
    reader.ended = read()
    return reader
  }

  it.each([
    ['a read', 'find', 25],
    ['a journaled write', 'findAndModify', 25],
    ['a look at the process of the server', 'hello', 25],
    ['an insert, or the closing of a gap', 'insert', 15],
  ])('shows every reader each event once if it is killed after %s', async (_, command, nth) => {
    await eventually(async () => succeed(openStoreOf(uri, {}, PATIENCE_MS, DEADLINES).ping))
    const stores = [openStoreOf(uri, {}, PATIENCE_MS, DEADLINES), openStoreOf(uri, {}, PATIENCE_MS, DEADLINES)] as const
    for (const store of stores) await eventually(() => succeed(store.ping))
    let isOver = false
    const writers = stores.map((store) => writing(store, () => isOver))
    const readers = stores.map((store) => reading(store, () => isOver))
    for (let round = 1; round <= byNight(2, 1); round += 1) {
      await sleep(200)
      trigger = { command, left: nth * round }
      await eventually(() => expect(trigger.left).toBeLessThanOrEqual(0))
      await restarting
      await eventually(() => succeed(stores[0].ping))
    }
    await sleep(500)
    await eventually(() => expect(readers.map(({ position }) => position)).not.toContain(0))
    isOver = true
    const acknowledged = (await Promise.all(writers)).flat(2)
    await Promise.all(readers.map(({ ended }) => ended))
    const fresh = openStoreOf(uri, {}, PATIENCE_MS, DEADLINES)
    await eventually(() => succeed(fresh.ping))
    const last = eventNumber(await create(fresh))
    const all = (await readThrough(fresh.log, last)).map(eventNumber)
    expect(acknowledged.filter((id) => !all.includes(id))).toStrictEqual([])
    for (const { position, seen } of readers) {
      expect(seen).toStrictEqual(all.filter((id) => id <= position))
    }
  })
})
