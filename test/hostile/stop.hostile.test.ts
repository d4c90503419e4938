// SIGTERM while clients keep connections open: each response closes its connection, and no client delays the stop.
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type RawResponse, readAll, readUntil, responsesIn } from '../support/http/raw.js'
import { authorization, get, post } from '../support/http/raw-requests.js'
import type { Environment } from '../support/processes/cli-process.js'
import { launchTarget, type Target } from './target.js'

const DRAIN_SECONDS = 3
const LIVE = get('/health/live')

const start = async (settings: Environment): Promise<Target> => {
  const target = await launchTarget(settings)
  onTestFinished(target.remove)
  return target
}

const keep = async ({ open }: Target): Promise<Socket> => {
  const socket = await open()
  const first = readUntil(socket, /\}$/)
  socket.write(LIVE)
  expect(responsesIn(await first)[0]?.headers.get('Connection')).toBe('keep-alive')
  return socket
}

const beginStop = async ({ service, call }: Target): Promise<void> => {
  service.signal('SIGTERM')
  await expect.poll(async () => (await call('GET', '/health/ready')).status).toBe(503)
}

const ask = (socket: Socket, text: string): Promise<readonly RawResponse[]> => {
  const all = readAll(socket)
  socket.write(text)
  return all.then(responsesIn)
}

const statusAndConnection = (responses: readonly RawResponse[]): readonly unknown[] =>
  responses.map(({ status, headers }) => [status, headers.get('Connection')])

describe('a stop', () => {
  it('makes each response the last of its connection, and serves new connections until the drain ends [stop]', async () => {
    const target = await start({ DRAIN_SECONDS: String(DRAIN_SECONDS) })
    const kept = [await keep(target), await keep(target), await keep(target)] as const
    await beginStop(target)
    const requests = [LIVE, get('/v1/pets', authorization(target.key)), get('/nope')] as const
    expect(
      await Promise.all(kept.map((socket, at) => ask(socket, requests[at] ?? '').then(statusAndConnection))),
    ).toEqual([[[200, 'close']], [[200, 'close']], [[404, 'close']]])
    expect(statusAndConnection(await ask(await target.open(), post(target.key)))).toEqual([[201, 'close']])
    expect(statusAndConnection(await ask(await target.open(), 'GARBAGE\r\n\r\n'))).toEqual([[400, 'close']])
    expect(await target.service.exit).toBe(0)
    expect(target.service.stdout()).not.toMatch(/^\{"level":"(?:error|fatal)"/m)
  })

  it('ends after SHUTDOWN_SECONDS despite readers that do not read, with exit code 1 [stop]', async () => {
    const { open, service } = await start({ SHUTDOWN_SECONDS: '1' })
    for (let left = 8; left > 0; left -= 1) (await open()).pause().write(get('/docs/swagger-ui-bundle.js').repeat(32))
    // until all buffers are full: a response that fits into them would end
    const responses = (): number => service.stdout().match(/"msg":"request"/g)?.length ?? 0
    for (let before = -1; before !== responses() || before < 8; ) {
      before = responses()
      await pause(1_000)
    }
    expect(await service.end('SIGTERM')).toBe(1)
  })
})
