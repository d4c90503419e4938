import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, vi } from 'vitest'
import { makeInProcessPublisher } from '../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../src/adapters/node/system.js'
import { makeFetchHandler } from '../../src/composition/make-fetch-handler.js'
import { DEFAULT_SERVICE, type ServiceSettings } from '../../src/composition/make-listener.js'
import { type ServiceLog, silentLog } from '../../src/composition/service-log.js'
import { type StartPorts, startService } from '../../src/composition/start-service.js'
import { DEFAULT_HANDLER } from '../../src/composition/use-cases.js'
import { unavailable } from '../../src/domain/errors.js'
import type { Store } from '../../src/ports/store.js'
import { fail, succeed } from '../../src/testing/samples.js'
import { issueApiKey } from '../support/domain/issue-api-key.js'
import { holding, saveRelay } from '../support/domain/log-reads.js'
import { runService } from '../support/http/running-service.js'
import { eventually } from '../support/runner/eventually.js'

const start = async (changes: Partial<ServiceSettings>, ports: Partial<StartPorts> = {}) => {
  const service = await runService(changes, { store: makeMemoryStore(), ...ports })
  const create = async (): Promise<string> => {
    const body = '{"name":"Rex","categoryId":9223372036854775807}'
    return (await service.call('POST', '/pets', { body })).text()
  }
  return { ...service, create }
}

describe('startService', () => {
  it('serves the ports that it is given, without metrics and silently by default', async () => {
    const { url, metricsUrl, create } = await start({})
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/v1$/)
    expect(await create()).toBe('{"id":1,"name":"Rex","categoryId":9223372036854775807}')
    expect(metricsUrl).toBeUndefined()
  })

  it('serves a store without a relay, also its metrics, and gives it no publisher', async () => {
    const { relay: _, ...store } = makeMemoryStore()
    const { metricsUrl, create } = await start({ metricsPort: 0 }, { store })
    expect(await create()).toContain('"id":1')
    const metrics = await (await fetch(String(metricsUrl))).text()
    expect(metrics).toContain('animal_store_api_keys_expiring')
    expect(metrics).toContain('animal_store_relay_read_failures_total 0')
    expect(metrics).not.toMatch(/^animal_store_relay_backlog \d/m)
    const publisher = () => makeInProcessPublisher([])
    expect(await fail(startService({ ...DEFAULT_SERVICE, port: 0 }, { store, publisher }))).toMatchObject({
      cause: new Error('the store has no relay, which a publisher needs'),
    })
  })

  it('serves a store without a log, whose feed is an unknown path, also its metrics, and gives it no publisher', async () => {
    const { log: _, ...store } = makeMemoryStore()
    const { metricsUrl, create, call } = await start({ metricsPort: 0 }, { store })
    expect(await create()).toContain('"id":1')
    const handle = makeFetchHandler({ ...store, clock: systemClock, crypto: nodeCrypto }, DEFAULT_HANDLER)
    const { text } = await issueApiKey(store)
    const headers = { Authorization: `Bearer ${text}` }
    const fetched = (path: string) => handle(new Request(`https://pets.example/v1${path}`, { headers }))
    for (const answer of [await call('GET', '/events'), await fetched('/events')]) expect(answer.status).toBe(404)
    for (const ask of [(path: string) => call('GET', path), fetched]) {
      expect(await (await ask('/events')).text()).toBe(await (await ask('/no-such-path')).text())
    }
    expect(await (await fetch(String(metricsUrl))).text()).toContain('animal_store_relay_read_failures_total 0')
    const publisher = () => makeInProcessPublisher([])
    expect(await fail(startService({ ...DEFAULT_SERVICE, port: 0 }, { store, publisher }))).toMatchObject({
      cause: new Error('the store has no log, which a publisher needs'),
    })
  })

  it('saves the position of the relay and gives up its lease, even if a stop has no time', async () => {
    const { relay, ...store } = makeMemoryStore()
    const slow: Store['relay']['save'] = (record) => async () => {
      await pause(50)
      return relay.save(record)()
    }
    let saved: unknown
    const close = async () => {
      saved = O.toUndefined(await succeed(relay.load))
    }
    const received: unknown[] = []
    const publisher = () => makeInProcessPublisher([(event) => void received.push(event)])
    const ports = { store: { ...store, relay: { ...relay, save: slow }, close }, publisher }
    const { create, stop } = await start({ shutdownMs: 0 }, ports)
    await create()
    await eventually(() => expect(received).toHaveLength(1))
    await stop()
    expect(saved).toMatchObject({ position: 1 })
    expect(saved).not.toHaveProperty('holder')
  })

  it.each([undefined, 'https://pets.example/v1'])(
    'relays events to the publisher of its address, and closes it when it stops: %s',
    async (publicUrl) => {
      const received: string[] = []
      const publisher = (source: string) => ({
        publish: (events: readonly { readonly pet: { readonly id: bigint } }[]) => async () => {
          received.push(...events.map(({ pet }) => `${source} ${pet.id}`))
          return events.map(() => ({ _tag: 'Delivered' }) as const)
        },
        close: async () => void received.push('closed'),
      })
      const { url, create, stop } = await start({ publicUrl }, { publisher })
      await create()
      await eventually(() => expect(received).toStrictEqual([`${publicUrl ?? url} 1`]))
      expect(await stop()).toBe(true)
      expect(received.slice(1)).toStrictEqual(['closed'])
    },
  )

  it('warns of events that wait as soon as the store responds, if it has no publisher', async () => {
    const store = await holding(10, 20)
    await saveRelay(store, 0)
    const warnings: object[] = []
    let loads = 0
    const load: Store['relay']['load'] = () => {
      loads += 1
      return loads === 1 ? Promise.resolve(E.left(unavailable(new Error('away')))) : store.relay.load()
    }
    const log: ServiceLog = { ...silentLog, warn: (details, msg) => void warnings.push({ ...details, msg }) }
    await start({}, { store: { ...store, relay: { ...store.relay, load } }, log })
    await eventually(() =>
      expect(warnings).toStrictEqual([{ waiting: 2, msg: expect.stringContaining('EVENTS_URL is not set') }]),
    )
  })

  it.each(['pets', 'ids', 'log', 'relay'] as const)(
    'refuses a store whose %s belong to another storage',
    async (port) => {
      const [store, other] = [makeMemoryStore(), makeMemoryStore()]
      const failure = await fail(startService(DEFAULT_SERVICE, { store: { ...store, [port]: other[port] } }))
      expect(String(failure.cause)).toContain('belong to different storages')
    },
  )

  it('closes publisher and store, and warns if one cannot be closed', async () => {
    const warnings: string[] = []
    const store = makeMemoryStore()
    const close = () => Promise.reject(new Error('the disk is away'))
    const publisher = () => ({
      publish: () => async () => [],
      close: () => Promise.reject(new Error('the broker is away')),
    })
    const log: ServiceLog = { ...silentLog, warn: (_, message) => void warnings.push(message) }
    const { stop } = await start({}, { store: { ...store, close }, publisher, log })
    expect(await stop()).toBe(true)
    expect(warnings).toStrictEqual(['the publisher could not be closed', 'the store could not be closed'])
  })

  it('stops listening and closes the store if the publisher cannot be made', async () => {
    let url = ''
    const close = vi.fn<() => Promise<void>>()
    const store = { ...makeMemoryStore(), close }
    const publisher = (source: string): never => {
      url = source
      throw new Error('no such broker')
    }
    const failure = await fail(startService({ ...DEFAULT_SERVICE, port: 0 }, { store, publisher }))
    expect(String(failure.cause)).toContain('no such broker')
    expect(close).toHaveBeenCalledOnce()
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})
