// The whole service with ports in memory: on a real server or, in the project `fetch`, as a handler without a socket.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { makeServer } from '../../../src/adapters/http/server/make-server.js'
import type { AppSettings } from '../../../src/adapters/http/settings.js'
import { loadJsonLog } from '../../../src/composition/json-log.js'
import { makeFetchHandler } from '../../../src/composition/make-fetch-handler.js'
import { DEFAULT_SETTINGS, makeListener } from '../../../src/composition/make-listener.js'
import { logObserver } from '../../../src/composition/service-log.js'
import type { Scope } from '../../../src/domain/api-keys/api-key.js'
import { range } from '../../../src/testing/samples.js'
import { makeWorld, type World } from '../domain/domain-world.js'
import { issueApiKey } from '../domain/issue-api-key.js'
import { client } from './client.js'
import { addressOf, forget, isInProcess } from './in-process.js'

export interface Options {
  readonly replace?: (world: World) => Partial<World>
  readonly settings?: Partial<Omit<AppSettings, 'observer'>>
  readonly requestTimeoutMs?: number
  readonly unreadTimeoutMs?: number
}

type Texts = 'msg' | 'requestId' | 'method' | 'route' | 'code' | 'clientAddress' | 'keyId' | 'reason' | 'traceId'
type LogLine = Readonly<Partial<Record<Texts, string> & Record<'status' | 'ms' | 'events' | 'seconds', number>>>

const serve = async (world: World, settings: AppSettings, { requestTimeoutMs = 10_000, unreadTimeoutMs }: Options) => {
  const times = { requestTimeoutMs, ...(unreadTimeoutMs !== undefined && { unreadTimeoutMs }) }
  const http = makeServer(makeListener(world, settings), { ...settings, ...times })
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  const { port } = http.server.address() as AddressInfo
  const stop = (): void => {
    http.server.close()
    http.server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, port, http, stop }
}

const withoutSocket = (): never => {
  throw new Error('this test needs a socket: move it to test/adapters/http/server')
}

type Address = Awaited<ReturnType<typeof serve>>

const handleInProcess = (world: World, settings: AppSettings): Address => {
  const url = addressOf(makeFetchHandler(world, settings))
  const reached = { url, stop: () => forget(url) }
  return Object.defineProperties(reached, { port: { get: withoutSocket }, http: { get: withoutSocket } }) as Address
}

const start = async (options: Options) => {
  const { replace = (): Partial<World> => ({}), settings = {} } = options
  const inMemory = makeWorld()
  const world = { ...inMemory, ...replace(inMemory) }
  const logTexts: string[] = []
  const log = await loadJsonLog('debug', {
    write: (lines: string) => void logTexts.push(...(lines.match(/.*\n/g) ?? [])),
  })
  const observer = logObserver(log, () => undefined)
  const all = { ...DEFAULT_SETTINGS, ...settings, observer }
  const service = isInProcess() ? handleInProcess(world, all) : await serve(world, all, options)
  const { url } = service
  const issue = (scopes?: readonly Scope[], lifetimeMs?: number) =>
    issueApiKey({ ...world, apiKeys: inMemory.apiKeys }, scopes, lifetimeMs)
  const { text, key } = await issue()
  const requestLines = (): readonly LogLine[] =>
    logTexts.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg === 'request')
  const calls = { call: client(url, text), anonymous: client(url) }
  const known = { ...calls, world, key: text, keyId: key.id, issue, logTexts, requestLines }
  // a spread would read `port`, which throws without a socket
  return Object.assign(service, known)
}

export type TestService = Awaited<ReturnType<typeof start>>

export const startHttp = async (options: Options = {}): Promise<TestService> => {
  const service = await start(options)
  onTestFinished(service.stop)
  return service
}

/** A service shared by the tests of a file. */
export const shareHttp = (options: Options = {}): (() => TestService) => {
  let service: TestService | undefined
  beforeAll(async () => {
    service = await start(options)
    return service.stop
  })
  return () => {
    if (service === undefined) throw new Error('the service exists only while tests run')
    return service
  }
}

export const create = async ({ call }: TestService, name = 'Rex'): Promise<void> => {
  const { status } = await call('POST', '/v1/pets', { body: JSON.stringify({ name, categoryId: 7 }) })
  expect(status).toBe(201)
}

export const createMany = async (service: TestService, count: number): Promise<void> => {
  for (const at of range(1, count)) await create(service, `pet ${at}`)
}

/** All substrings of eight characters of the secret: long enough that none occurs by coincidence. */
export const piecesOf = (key: string): readonly string[] => {
  const secret = key.slice(key.lastIndexOf('_') + 1)
  return range(8, secret.length).map((end) => secret.slice(end - 8, end))
}
