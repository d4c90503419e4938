// The whole service with ports in memory: on a real server or, in the project `fetch`, as a handler without a socket.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import * as O from 'fp-ts/lib/Option.js'
import { beforeAll, onTestFinished } from 'vitest'
import { type HttpServer, makeServer } from '../../../src/adapters/http/server/make-server.js'
import type { AppSettings } from '../../../src/adapters/http/settings.js'
import { loadJsonLog } from '../../../src/composition/json-log.js'
import { makeFetchHandler } from '../../../src/composition/make-fetch-handler.js'
import { DEFAULT_SETTINGS, makeListener } from '../../../src/composition/make-listener.js'
import { logNotify, logObserver } from '../../../src/composition/service-log.js'
import { SCOPES, type Scope } from '../../../src/domain/api-keys/api-key.js'
import { createApiKey, type IssuedApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { succeed } from '../../../src/testing/samples.js'
import { makeWorld, type World } from '../domain/domain-world.js'
import { type Call, client } from './client.js'
import { addressOf, forget, isInProcess } from './in-process.js'

export interface Options {
  /** Replaces ports. */
  readonly replace?: (world: World) => Partial<World>
  readonly settings?: Partial<Omit<AppSettings, 'observer' | 'notify'>>
  /** Milliseconds for a whole request to arrive. */
  readonly requestTimeoutMs?: number
  /** Milliseconds for which a response may stay unread. */
  readonly unreadTimeoutMs?: number
}

export interface LogLine {
  readonly msg: string
  readonly requestId?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
  readonly code?: string
  readonly clientAddress?: string
  readonly keyId?: string
  readonly reason?: string
  readonly traceId?: string
  readonly ms?: number
  readonly events?: number
  readonly seconds?: number
}

export interface TestService {
  /** `http://127.0.0.1:port`, without `/v1`. */
  readonly url: string
  /** Only a service on a server has them. */
  readonly port: number
  readonly http: HttpServer
  readonly world: World
  /** Calls with a key that has all scopes. */
  readonly call: Call
  /** Calls without a key. */
  readonly anonymous: Call
  /** The text of that key. */
  readonly key: string
  readonly keyId: string
  readonly issue: (scopes?: readonly Scope[], lifetimeMs?: number) => Promise<IssuedApiKey>
  /** The whole log, one text per line. */
  readonly logTexts: readonly string[]
  /** The log lines about requests. */
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
  const create = createApiKey({ ...world, apiKeys: inMemory.apiKeys })
  const issue = (scopes: readonly Scope[] = SCOPES, lifetimeMs?: number): Promise<IssuedApiKey> =>
    succeed(create({ name: O.none, scopes, lifetimeMs: O.fromNullable(lifetimeMs) }))
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

/** A service for one test. */
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
