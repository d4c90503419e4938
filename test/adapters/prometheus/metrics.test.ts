import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Metrics, makeMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { makeMetricsServer } from '../../../src/adapters/prometheus/server.js'

const LIST = { route: '/v1/pets', method: 'GET', status: 200, milliseconds: 3 }

describe('the metrics', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.close()
    server?.closeAllConnections()
  })

  const fetchFrom = async (metrics: Metrics, path: string): Promise<Response> => {
    server = makeMetricsServer(metrics).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  }

  it('count answers and their durations by route, method and status', async () => {
    const metrics = makeMetrics({ isServed: true })
    metrics.answered(LIST)
    metrics.answered({ ...LIST, milliseconds: 30 })
    metrics.answered({ ...LIST, status: 401 })
    const answer = await fetchFrom(metrics, '/metrics')
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, expect.stringContaining('version=0.0.4')])
    const lines = (await answer.text()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'http_requests_total{route="/v1/pets",method="GET",status="200"} 2',
        'http_requests_total{route="/v1/pets",method="GET",status="401"} 1',
        'http_request_duration_seconds_bucket{le="0.005",route="/v1/pets",method="GET"} 2',
        'http_request_duration_seconds_bucket{le="0.05",route="/v1/pets",method="GET"} 3',
        'http_request_duration_seconds_count{route="/v1/pets",method="GET"} 3',
      ]),
    )
  })

  it('count damaged records, without their ids', async () => {
    const metrics = makeMetrics({ isServed: true })
    metrics.damaged({ record: 'pet', id: '7', reason: '/name: is required' })
    const { text } = await metrics.render()
    expect(text).toContain('\nanimal_store_damaged_records_total{record="pet"} 1\n')
    expect(text).not.toContain('is required')
  })

  it.each([true, false])('watch the process only if they are served: %s', async (isServed) => {
    const { text } = await makeMetrics({ isServed }).render()
    expect(text.includes('process_cpu_seconds_total')).toBe(isServed)
  })

  it('are served at one path only', async () => {
    expect((await fetchFrom(makeMetrics({ isServed: false }), '/')).status).toBe(404)
  })
})
