import type * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { Store } from '../../../src/ports/store.js'
import { event } from '../../../src/testing/samples.js'
import { NEVER, relayScene } from '../../support/domain/relay-scene.js'
import { eventually } from '../../support/runner/eventually.js'

describe('an outage of the relay', () => {
  it('keeps retrying while events cannot be delivered, parks none, and reports each failure and recovery once, the second time too', async () => {
    const { received, receive, start, add, messages, notices, saved } = await relayScene()
    let isDown = true
    let tries = 0
    const relay = start(
      makeInProcessPublisher([
        (one) => {
          tries += 1
          if (isDown) throw new Error('down')
          return receive(one)
        },
      ]),
    )
    await add(1, 2)
    relay.added(event(9))
    await eventually(() => expect(tries).toBeGreaterThan(20))
    relay.added(event(9))
    // they only wait: docs/operations.md
    expect(notices).toMatchObject([{ level: 'warn', message: 'events cannot be delivered' }])
    expect(await saved()).toMatchObject({ parked: [] })
    isDown = false
    const outage = ['events cannot be delivered', 'event delivery has recovered']
    await eventually(() => expect(received).toStrictEqual([1, 2]))
    await eventually(() => expect(messages()).toStrictEqual(outage))
    isDown = true
    await add(3)
    relay.added(event(9))
    await eventually(() => expect(messages()).toStrictEqual([...outage, outage[0]]))
    isDown = false
    await eventually(() => expect(received).toStrictEqual([1, 2, 3]))
    await eventually(() => expect(messages()).toStrictEqual([...outage, ...outage]))
  })

  it.each<readonly [string, () => Promise<E.Either<ReturnType<typeof unavailable>, never>>]>([
    ['fails', TE.left(unavailable(new Error('away')))],
    ['rejects', () => Promise.reject(new Error('defect'))],
  ])('survives a log that %s, and reports it once', async (_, away) => {
    const { store, received, start, add, messages } = await relayScene()
    let isDown = true
    let tries = 0
    const log: Store['log'] = {
      ...store.log,
      read: (request) => {
        tries += 1
        return isDown ? away : store.log.read(request)
      },
    }
    start(undefined, { log })
    await add(1)
    await eventually(() => expect(tries).toBeGreaterThan(5))
    expect(messages()).toStrictEqual(['the log of events is unavailable'])
    isDown = false
    await eventually(() => expect(received).toStrictEqual([1]))
    expect(messages()).toStrictEqual(['the log of events is unavailable', 'event delivery has recovered'])
  })

  it('reports the recovery of the store while it stands by, too', async () => {
    const { store, start, messages } = await relayScene({ leaseMs: NEVER })
    const active = start()
    await eventually(() => expect(active.isActive()).toBe(true))
    let isDown = true
    const away = TE.left(unavailable(new Error('away')))
    start(undefined, { relay: { ...store.relay, load: () => (isDown ? away() : store.relay.load()) } })
    await eventually(() => expect(messages()).toStrictEqual(['the log of events is unavailable']))
    isDown = false
    const both = ['the log of events is unavailable', 'event delivery has recovered']
    await eventually(() => expect(messages()).toStrictEqual(both))
  })

  it.each([
    ['as long as the receiver asks', { wait: 300 }],
    ['for the longest back-off if the receiver asks for it', { wait: 'longest' }],
  ] as const)('waits %s, and keeps its lease meanwhile', async (_, asked) => {
    const { received, receive, start, add, saved } = await relayScene({
      leaseMs: 30,
      backOff: { initialMs: 2, maxMs: 300 },
    })
    const triedAt: number[] = []
    const versions: (number | undefined)[] = []
    const relay = start({
      publish: (events) => async () => {
        triedAt.push(performance.now())
        versions.push((await saved())?.version)
        if (triedAt.length === 1) return [{ _tag: 'Failed', reason: 'busy', ...asked }]
        for (const event of events) await receive(event)
        return events.map(() => ({ _tag: 'Delivered' }))
      },
    })
    await add(1, 2)
    relay.added(event(9))
    await eventually(() => expect(received).toStrictEqual([1, 2]))
    const [first = 0, second = 0] = triedAt
    expect(second - first).toBeGreaterThanOrEqual(295)
    expect(Number(versions[1]) - Number(versions[0])).toBeGreaterThan(3)
    expect(relay.isActive()).toBe(true)
  })
})
