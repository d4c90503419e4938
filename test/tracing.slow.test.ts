// The service under `node --import animal-store/tracing`, with a collector that only listens.
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { startListening } from './support/network/start-listening.js'
import { BUNDLE } from './support/processes/bundle.js'
import { startInMemory } from './support/processes/service-process.js'
import { eventually } from './support/runner/eventually.js'
import { boundMs } from './support/runner/night.js'

const startTraced = (collector: string) =>
  startInMemory({ OTEL_RESOURCE_ATTRIBUTES: 'stage=test', OTEL_EXPORTER_OTLP_ENDPOINT: collector }, [
    '--import',
    `./${BUNDLE}/tracing.js`,
  ])

const startCollector = async () => {
  const received: string[] = []
  const collector = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      received.push(`${request.url} ${body}`)
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  return { received, url: `http://127.0.0.1:${await startListening(collector)}` }
}

it('sends the spans of its requests to the collector, the last ones when it stops', async () => {
  const { received, url: collector } = await startCollector()
  const { url, end } = await startTraced(collector)
  expect((await fetch(`${url}/nothing`)).status).toBe(404)
  expect(await end('SIGTERM')).toBe(0)
  await eventually(() => expect(received).not.toStrictEqual([]))
  expect(received[0]).toMatch(/^\/v1\/traces .*"GET unmatched"/)
  expect(received[0]).toContain('{"key":"service.name","value":{"stringValue":"animal-store"}}')
  expect(received[0]).toContain('{"key":"stage","value":{"stringValue":"test"}}')
})

it('ends well, with a warning and within seconds, if the collector does not answer', async () => {
  const port = await startListening(createServer(() => {}))
  const { url, end, stdout } = await startTraced(`http://127.0.0.1:${port}`)
  expect((await fetch(`${url}/nothing`)).status).toBe(404)
  const begin = performance.now()
  expect(await end('SIGTERM')).toBe(0)
  expect(performance.now() - begin).toBeLessThan(boundMs(7_000))
  expect(stdout()).toMatch(/"err":\{"type":"\w+","message":"[^"]+.*"the last spans were not exported"/)
})
