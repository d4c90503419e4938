// The whole service with ports in memory: on a real server or, in the project `fetch`, as a handler without a socket.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { type HttpServer, makeServer } from '../../../src/adapters/http/server/make-server.js'
import type { AppSettings } from '../../../src/adapters/http/settings.js'
import { loadJsonLog } from '../../../src/composition/json-log.js'
import { makeFetchHandler } from '../../../src/composition/make-fetch-handler.js'
import { DEFAULT_SETTINGS, makeListener } from '../../../src/composition/make-listener.js'
import { logNotify, logObserver } from '../../../src/composition/service-log.js'
import type { Scope } from '../../../src/domain/api-keys/api-key.js'
import type { IssuedApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { range } from '../../../src/testing/samples.js'
import { makeWorld, type World } from '../domain/domain-world.js'
import { issueApiKey } from '../domain/issue-api-key.js'
import { type Call, client } from './client.js'
import { addressOf, forget, isInProcess } from './in-process.js'

export interface Options {
  readonly replace?: (world: World) => Partial<World>
  readonly settings?: Partial<Omit<AppSettings, 'observer' | 'notify'>>
  readonly requestTimeoutMs?: number
  readonly unreadTimeoutMs?: number
}

type Texts = 'msg' | 'requestId' | 'method' | 'route' | 'code' | 'clientAddress' | 'keyId' | 'reason' | 'traceId'
export type LogLine = Readonly<Partial<Record<Texts, string> & Record<'status' | 'ms' | 'events' | 'seconds', number>>>

export interface TestService {
  /** `http://127.0.0.1:port`, without `/v1`. */
  readonly url: string
  /** Only a service on a server has them. */
  readonly port: number
  readonly http: HttpServer
  readonly world: World
  readonly call: Call
  readonly anonymous: Call
  readonly key: string
  readonly keyId: string
  readonly issue: (scopes?: readonly Scope[], lifetimeMs?: number) => Promise<IssuedApiKey>
  readonly logTexts: readonly string[]
  readonly requestLines: () => readonly LogLine[]
}

interface Address extends Pick<TestService, 'url' | 'port' | 'http'> {
  readonly stop: () => void
}

const serve = async (
  world: World,
  settings: AppSettings,
  { requestTimeoutMs = 10_000, unreadTimeoutMs }: Options,
): Promise<Address> => {
  const { observer } = settings
  const http = makeServer(makeListener(world, settings), {
    requestTimeoutMs,
    ...(unreadTimeoutMs !== undefined && { unreadTimeoutMs }),
    maxBodyBytes: settings.maxBodyBytes,
    corsOrigins: settings.corsOrigins,
    observer,
    publicUrl: settings.publicUrl,
  })
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  const { port } = http.server.address() as AddressInfo
  const stop = (): void => {
    http.server.close()
    http.connections.destroyAll()
  }
  return { url: `http://127.0.0.1:${port}`, port, http, stop }
}

const withoutSocket = (): never => {
  throw new Error('this test needs a socket: move it to test/adapters/http/server')
}

const handleInProcess = (world: World, settings: AppSettings): Address => {
  const url = addressOf(makeFetchHandler(world, settings))
  const reached = { url, stop: () => forget(url) }
  return Object.defineProperties(reached, { port: { get: withoutSocket }, http: { get: withoutSocket } }) as Address
}

const start = async (options: Options): Promise<TestService & { readonly stop: () => void }> => {
  const { replace = () => ({}), settings = {} } = options
  const inMemory = makeWorld()
  const world = { ...inMemory, ...replace(inMemory) }
  const logTexts: string[] = []
  const log = await loadJsonLog('debug', {
    write: (lines: string) => void logTexts.push(...(lines.match(/.*\n/g) ?? [])),
  })
  const observer = logObserver(log, () => undefined)
  const all = { ...DEFAULT_SETTINGS, ...settings, observer, notify: logNotify(log) }
  const service = isInProcess() ? handleInProcess(world, all) : await serve(world, all, options)
  const { url } = service
  const issue: TestService['issue'] = (...how) => issueApiKey({ ...world, apiKeys: inMemory.apiKeys }, ...how)
  const { text, key } = await issue()
  const requestLines = (): readonly LogLine[] =>
    logTexts.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg === 'request')
  const known = {
    world,
    call: client(url, text),
    anonymous: client(url),
    key: text,
    keyId: key.id,
    issue,
    logTexts,
    requestLines,
  }
  // adds to the service itself: a spread would ask for the port of one without a socket
  return Object.assign(service, known)
}

export const startHttp = async (options: Options = {}): Promise<TestService> => {
  const service = await start(options)
  onTestFinished(service.stop)
  return service
}

/** A service shared by the tests of a file. */
export const shareHttp = (options: Options = {}): (() => TestService) => {
  let service: Awaited<ReturnType<typeof start>> | undefined
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
