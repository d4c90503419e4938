import { describe, expect, it } from 'vitest'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { listReport } from '../../support/documents/request-report.js'
import { scrape } from '../../support/documents/scrape.js'

describe('the metrics', () => {
  it('count responses by route, method, status and code, and their durations by route and method', async () => {
    const metrics = await loadMetrics()
    metrics.responded(listReport)
    metrics.responded({ ...listReport, milliseconds: 30 })
    metrics.responded({ ...listReport, status: 401, code: 'missing_api_key' })
    metrics.responded({ ...listReport, status: 401, code: 'invalid_api_key' })
    expect(await scrape(metrics)).toMatchObject({
      'http_requests_total{route="/v1/pets",method="GET",status="200",code=""}': 2,
      'http_requests_total{route="/v1/pets",method="GET",status="401",code="missing_api_key"}': 1,
      'http_requests_total{route="/v1/pets",method="GET",status="401",code="invalid_api_key"}': 1,
      'http_request_duration_seconds_bucket{le="0.0025",route="/v1/pets",method="GET"}': 0,
      'http_request_duration_seconds_bucket{le="0.005",route="/v1/pets",method="GET"}': 3,
      'http_request_duration_seconds_bucket{le="0.05",route="/v1/pets",method="GET"}': 4,
      'http_request_duration_seconds_bucket{le="+Inf",route="/v1/pets",method="GET"}': 4,
      'http_request_duration_seconds_sum{route="/v1/pets",method="GET"}': expect.closeTo(0.045),
      'http_request_duration_seconds_count{route="/v1/pets",method="GET"}': 4,
    })
  })

  it('count a response to refused headers, but no duration', async () => {
    const metrics = await loadMetrics()
    metrics.responded({ ...listReport, route: 'unmatched', status: 400, code: 'bad_request', milliseconds: undefined })
    // a stream lasts as long as its client wants
    metrics.responded({ ...listReport, route: 'unmatched', events: 3 })
    const series = await scrape(metrics)
    expect(series).toHaveProperty(
      ['http_requests_total{route="unmatched",method="GET",status="400",code="bad_request"}'],
      1,
    )
    expect(series).not.toHaveProperty(['http_request_duration_seconds_count{route="unmatched",method="GET"}'])
  })

  it('count failed requests in series that exist from the start, without health probes', async () => {
    const metrics = await loadMetrics()
    // those of the feed have alerts of their own
    const ofFeed = 'http_requests_total{route="/v1/events",method="GET",status="503",code="unavailable"}'
    expect(await scrape(metrics)).toMatchObject({
      'http_requests_failed_total{code="internal_error"}': 0,
      'http_requests_failed_total{code="unavailable"}': 0,
      [ofFeed]: 0,
    })
    metrics.responded({ ...listReport, status: 500, code: 'internal_error' })
    for (const route of ['/v1/pets', '/v1/events', '/health/ready'])
      metrics.responded({ ...listReport, route, status: 503, code: 'unavailable' })
    expect(await scrape(metrics)).toMatchObject({
      'http_requests_failed_total{code="internal_error"}': 1,
      'http_requests_failed_total{code="unavailable"}': 2,
      [ofFeed]: 1,
    })
  })

  it('count damaged records, without their ids', async () => {
    const metrics = await loadMetrics()
    metrics.damaged({ record: 'pet', id: '7', reason: '/name: is required' })
    const { text } = await metrics.render()
    expect(text).toContain('\nanimal_store_damaged_records_total{record="pet"} 1\n')
    expect(text).toContain('\nanimal_store_damaged_records_total{record="API key"} 0\n')
    expect(text).not.toContain('is required')
  })
})
