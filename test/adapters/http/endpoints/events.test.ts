import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { range, succeed } from '../../../../src/testing/samples.js'
import { outage } from '../../../support/domain/failing-ports.js'
import { create, createMany, startHttp, type TestService } from '../../../support/http/http-service.js'
import { listen } from '../../../support/http/listen.js'

const PUBLIC = { publicUrl: 'https://pets.test/v1' }

/** The subjects of the events on a page, and the link to the next one. */
const pageAt = async ({ call }: TestService, path: string) => {
  const { status, headers, text } = await call('GET', path)
  const events = status === 200 ? (JSON.parse(text) as readonly { readonly subject: string }[]) : []
  const next = /^<https:\/\/pets\.test(\/v1\/events\?[^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1]
  return { status, headers, subjects: events.map(({ subject }) => Number(subject)), next: next ?? '' }
}

describe('GET /v1/events as pages', () => {
  it('lists the events of all pets, oldest first, as CloudEvents with the traces of their requests [feed-pages request-id]', async () => {
    const service = await startHttp({ settings: { ...PUBLIC, eventsTypePrefix: 'org.example' } })
    await service.call('POST', '/v1/pets', {
      body: '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}',
      headers: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
    })
    await service.call('POST', '/v1/pets', { body: '{"name":"Tom","categoryId":1}', headers: { traceparent: '00-x' } })
    const { status, headers, text } = await service.call('GET', '/v1/events')
    expect([status, headers.get('Content-Type'), headers.get('Vary')]).toStrictEqual([
      200,
      'application/cloudevents-batch+json',
      'Accept',
    ])
    expect(text).toContain('"data":{"id":1,"name":"Rex","categoryId":9223372036854775807,"status":"sold"}')
    expect(text.match(/traceparent/g)).toHaveLength(1)
    expect(JSON.parse(text)).toMatchObject([
      {
        specversion: '1.0',
        source: 'https://pets.test/v1',
        type: 'org.example.pet.created.v1',
        subject: '1',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      },
      { subject: '2', data: { name: 'Tom' } },
    ])
  })

  it('is walked by its links, to the end and beyond [feed-pages]', async () => {
    const service = await startHttp({ settings: PUBLIC })
    await createMany(service, 25)
    const first = await pageAt(service, '/v1/events')
    expect(first.subjects).toStrictEqual(range(1, 20))
    const second = await pageAt(service, first.next)
    expect(second.subjects).toStrictEqual(range(21, 25))
    const empty = await pageAt(service, second.next)
    expect([empty.subjects, empty.next]).toStrictEqual([[], second.next])
    await create(service)
    expect((await pageAt(service, empty.next)).subjects).toStrictEqual([26])
    expect((await pageAt(service, `${first.next}&limit=3`)).subjects).toStrictEqual([21, 22, 23])
    const limited = await pageAt(service, '/v1/events?limit=7')
    expect(limited.next).toMatch(/\?limit=7&after=/)
    expect((await pageAt(service, limited.next)).subjects).toStrictEqual(range(8, 14))
  })

  it.each([
    '*/*',
    'text/event-stream;q=0',
    '',
    'application/json, text/event-stream;q=0.1',
    'application/json;x="a, text/event-stream, b"',
    // a tie, as sent by clients that are generated from openapi.yaml
    'application/cloudevents-batch+json,text/event-stream,application/json',
    'text/event-stream, application/cloudevents-batch+json',
    'text/event-stream, */*',
    'text/event-stream;q=0.5, application/*;q=0.5',
  ])(
    'is a page for Accept: %s, and ignores a Last-Event-ID, with which its links could not be followed [feed-pages]',
    async (accept) => {
      const service = await startHttp()
      await create(service)
      const sent = { Accept: accept, 'Last-Event-ID': 'nonsense' }
      const { status, headers } = await service.call('GET', '/v1/events', { headers: sent })
      expect([status, headers.get('Content-Type')]).toStrictEqual([200, 'application/cloudevents-batch+json'])
    },
  )

  it.each([
    'text/event-stream',
    'Text/Event-Stream; charset="utf-8" ;q=0.3',
    'application/json;q=0.1, text/event-stream;q=0.2',
    'text/event-stream, */*;q=0.1',
    // a type that we do not have
    'text/event-stream;q=0.5, text/html',
  ])('is a stream for Accept: %s [feed-stream]', async (accept) => {
    const service = await startHttp()
    const head = await service.call('HEAD', '/v1/events', { headers: { Accept: accept } })
    const type = head.headers.get('Content-Type')
    expect([head.status, type, head.text]).toStrictEqual([200, 'text/event-stream; charset=utf-8', ''])
    // else middleware that compresses holds events back
    expect(head.headers.get('Cache-Control')).toBe('no-store, no-transform')
  })

  it('is an empty page with the position of the end after the latest event [feed-pages feed-positions]', async () => {
    const service = await startHttp({ settings: { ...PUBLIC, maxStreams: 0 } })
    const first = await pageAt(service, '/v1/events?after=latest')
    expect([first.status, first.subjects]).toStrictEqual([200, []])
    await createMany(service, 25)
    const second = await pageAt(service, '/v1/events?after=latest&limit=3')
    expect([second.subjects, second.next]).toStrictEqual([[], expect.stringMatching(/limit=3&after=[^.]+\.25$/)])
    await create(service)
    expect((await pageAt(service, second.next)).subjects).toStrictEqual([26])
    expect((await pageAt(service, first.next)).subjects).toStrictEqual(range(1, 20))
    const headers = { 'If-None-Match': second.headers.get('ETag') ?? '' }
    // the position is another one
    expect((await service.call('GET', '/v1/events?after=latest&limit=3', { headers })).status).toBe(200)
  })

  it('is a page for any Accept where streams are off [feed-pages]', async () => {
    const service = await startHttp({ settings: { maxStreams: 0 } })
    await create(service)
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': 'nonsense' }
    const { status, text, headers: answered } = await service.call('GET', '/v1/events', { headers })
    expect([status, answered.get('Content-Type')]).toStrictEqual([200, 'application/cloudevents-batch+json'])
    expect(JSON.parse(text)).toHaveLength(1)
  })

  it.each([
    ['limit=0', 'limit must be an integer from 1 to 100; got "0"'],
    ['limit=5&limit=5', 'limit must be an integer from 1 to 100, and given once; got "5, 5"'],
    ['after=7', 'after must be a position that this feed gave out'],
    ['after=LOG.9007199254740992', 'after must be a position that this feed gave out'],
    ['after=LOG.1&after=LOG.1', /^after must be a position that this feed gave out, and given once/],
    ['after=LOG.2', 'after is beyond the end of the log: begin again without it'],
    ['after=00000000-0000-4000-8000-000000000000.1', 'after is a position of another log: begin again without it'],
  ])('refuses %s [feed-positions]', async (query, message) => {
    const service = await startHttp()
    await create(service)
    const { logId } = await succeed(service.world.log.head)
    const { status, json } = await service.call('GET', `/v1/events?${query.replaceAll('LOG', logId)}`)
    expect([status, json]).toMatchObject([400, { code: 'invalid_parameter', message: expect.stringMatching(message) }])
  })

  it.each(['read', 'head'] as const)('answers 503 while the log is away: %s', async (part) => {
    const failing = part === 'head' ? { head: TE.left(outage) } : { read: () => TE.left(outage) }
    const service = await startHttp({ replace: ({ log }) => ({ log: { ...log, ...failing } }) })
    expect((await service.call('GET', '/v1/events')).json).toMatchObject({ code: 'unavailable' })
    const stream = await listen(service.url, service.key)
    expect(stream.status).toBe(503)
  })
})
