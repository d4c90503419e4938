// The metrics of a whole service over a store in memory.
import { describe, expect, it } from 'vitest'
import { makeInProcessPublisher } from '../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { silentLog } from '../../src/composition/service-log.js'
import { type Series, seriesIn } from '../support/documents/scrape.js'
import { openSocket, readAll } from '../support/http/raw.js'
import { fetchOnce, runService } from '../support/http/running-service.js'

const start = async () => {
  const publisher = () => makeInProcessPublisher([])
  const service = await runService({ metricsPort: 0 }, { store: makeMemoryStore(), publisher, log: silentLog })
  const read = async (): Promise<Series> => seriesIn(await (await fetchOnce(service.metricsUrl ?? '')).text())
  return { ...service, read, port: Number(new URL(service.url).port) }
}

describe('the metrics of a service', () => {
  it('name the key that calls a deprecated route [deprecation]', async () => {
    const { call, read, keyId } = await start()
    await call('GET', '/pets/1')
    await call('GET', '/pets/1', { headers: { Authorization: 'Bearer wrong' } })
    expect(await read()).toMatchObject({
      [`animal_store_deprecated_requests_total{route="/v1/pets/{petId}",method="GET",key_id="${keyId}"}`]: 1,
      'animal_store_deprecated_requests_total{route="/v1/pets/{petId}",method="GET",key_id=""}': 1,
    })
  })

  it('observe no duration of a request that is not HTTP', async () => {
    const { read, port } = await start()
    const socket = await openSocket(port)
    socket.write('GET /v1/pets HTTP/9.9\r\n\r\n')
    await readAll(socket)
    const series = await read()
    const refused = Object.entries(series).filter(([name]) => name.startsWith('http_requests_total{route="unmatched"'))
    expect(refused.map(([, count]) => count)).toStrictEqual([1])
    const observed = Object.keys(series).filter((name) => name.startsWith('http_request_duration_seconds'))
    expect(observed).toStrictEqual([])
  })
})
