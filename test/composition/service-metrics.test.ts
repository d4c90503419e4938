// The metrics of a whole service, each moved by what it counts.
import { describe, expect, it, vi } from 'vitest'
import { makeInProcessPublisher } from '../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import type { ServiceSettings } from '../../src/composition/make-service.js'
import { VERSION } from '../../src/composition/service-log.js'
import type { Store } from '../../src/ports/store.js'
import { type Series, seriesIn } from '../support/documents/scrape.js'
import { openSocket, readAll } from '../support/http/raw.js'
import { runService } from '../support/http/running-service.js'

const start = async (changes: Partial<ServiceSettings> = {}, replace: (store: Store) => Store = (store) => store) => {
  const store = replace(makeMemoryStore())
  const publisher = () => makeInProcessPublisher([])
  const service = await runService({ metricsPort: 0, ...changes }, { store, publisher })
  const read = async (): Promise<Series> => seriesIn(await (await fetch(service.metricsUrl ?? '')).text())
  return { ...service, read, port: Number(new URL(service.url).port) }
}

describe('the metrics of a service', () => {
  it('count requests, retries of creates, and the events and calls of the store that they cause', async () => {
    const { call, read } = await start()
    for (const _ of [1, 2])
      await call('POST', '/pets', { body: '{"name":"Rex","categoryId":7}', headers: { 'Idempotency-Key': 'one' } })
    await call('GET', '/pets?limit=0')
    // the position is saved a moment after the event was sent
    const relayed = { animal_store_events_published_total: 1, animal_store_relay_backlog: 0 }
    await vi.waitFor(async () => expect(await read()).toMatchObject(relayed), 20_000)
    expect(await read()).toMatchObject({
      'http_requests_total{route="/v1/pets",method="POST",status="201",code=""}': 2,
      'http_requests_total{route="/v1/pets",method="GET",status="400",code="invalid_parameter"}': 1,
      'http_request_duration_seconds_count{route="/v1/pets",method="POST"}': 2,
      animal_store_replayed_creates_total: 1,
      'animal_store_operation_duration_seconds_count{operation="pets.add"}': 1,
      'animal_store_operation_duration_seconds_count{operation="pets.findByIdempotencyKey"}': 2,
      animal_store_event_delay_seconds_count: 1,
      [`animal_store_build_info{version="${VERSION}",node="${process.versions.node}"}`]: 1,
    })
  })

  it('name the key that calls a deprecated route', async () => {
    const { call, read, keyId } = await start()
    await call('GET', '/pets/1')
    await call('GET', '/pets/1', { headers: { Authorization: 'Bearer wrong' } })
    expect(await read()).toMatchObject({
      [`animal_store_deprecated_requests_total{route="/v1/pets/{petId}",method="GET",key_id="${keyId}"}`]: 1,
      'animal_store_deprecated_requests_total{route="/v1/pets/{petId}",method="GET",key_id=""}': 1,
    })
  })

  it('show what is in flight, and count what is shed', async () => {
    const waiting: (() => void)[] = []
    const { call, read } = await start({ maxInFlight: 1 }, (store) => ({
      ...store,
      pets: {
        ...store.pets,
        findPage: (query) => async () => {
          await new Promise<void>((resolve) => waiting.push(resolve))
          return store.pets.findPage(query)()
        },
      },
    }))
    const held = call('GET', '/pets')
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    expect((await call('GET', '/pets')).status).toBe(503)
    expect(await read()).toMatchObject({ http_requests_in_flight: 1, http_requests_shed_total: 1 })
    expect((await read())['http_connections']).toBeGreaterThanOrEqual(1)
    for (const release of waiting) release()
    await held
    expect(await read()).toMatchObject({ http_requests_in_flight: 0, http_requests_shed_total: 1 })
  })

  it('count rate-limited requests by their code', async () => {
    const { call, read } = await start({ rateLimit: { perSecond: 1, burst: 1 } })
    for (const _ of [1, 2]) await call('GET', '/pets')
    const name = 'http_requests_total{route="/v1/pets",method="GET",status="429",code="rate_limited"}'
    expect(await read()).toHaveProperty([name], 1)
  })

  it('observe no duration of a request that is not HTTP', async () => {
    const { read, port } = await start()
    const socket = await openSocket(port)
    socket.write('GET /v1/pets HTTP/9.9\r\n\r\n')
    await readAll(socket)
    const series = await read()
    const refused = Object.entries(series).filter(([name]) => name.startsWith('http_requests_total{route="unmatched"'))
    expect(refused.map(([, count]) => count)).toStrictEqual([1])
    const counts = Object.entries(series).filter(([name]) => name.startsWith('http_request_duration_seconds_count'))
    expect(counts.map(([, count]) => count)).toStrictEqual([0])
  })
})
