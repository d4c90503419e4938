// Services on another runtime, whose program listens at the address in HTTP_RUNTIME: the suites of HTTP call them over its socket.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { AppSettings } from '../../../src/adapters/http/settings.js'
import { nodeCrypto } from '../../../src/adapters/node/system.js'
import type { World } from '../domain/domain-world.js'
import { makeMovableClock } from '../domain/movable-clock.js'
import type { Order, PortName } from './order.js'
import { fromWire, toWire } from './wire.js'

const address = process.env['HTTP_RUNTIME']

export const isRemote = (): boolean => address !== undefined

/** What a test cannot have of a service in another process. */
export const onlyInProcess = (what: string): never => {
  throw new Error(`only in the process of the test: ${what}`)
}

const NO_BODY = [101, 204, 205, 304]

const responseOf = (message: IncomingMessage, method: string): Response => {
  const { rawHeaders, statusCode = 0 } = message
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  const isEmpty = method === 'HEAD' || NO_BODY.includes(statusCode)
  if (isEmpty) message.resume()
  const body = isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>)
  return new Response(body, { status: statusCode, headers })
}

/** As `fetch` does, which cannot send another `Host` than that of the address. */
const exchange = (url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(address ?? '')
    const all = { ...Object.fromEntries(new Headers(headers)), Host: url.host }
    const path = `${url.pathname}${url.search}`
    const outgoing = httpRequest({ host: '127.0.0.1', port, path, method, agent: false, headers: all }, (message) =>
      resolve(responseOf(message, method)),
    )
    outgoing.on('error', reject)
    signal?.addEventListener('abort', () => outgoing.destroy(), { once: true })
    outgoing.end(body ?? undefined)
  })

/** What was ordered, one after the other: tests move a clock without waiting for it. */
let ordered: Promise<unknown> = Promise.resolve()

const give = (order: Order): Promise<unknown> => {
  const done = ordered.then(async () => {
    const response = await exchange(new URL('http://orders.test/'), { method: 'POST', body: toWire(order) })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${order.what}: ${text}`)
    return fromWire(text)
  })
  ordered = done.catch(() => undefined)
  return done
}

/** Once everything that was ordered before has been done. */
export const sendToRuntime = async (url: URL, init: RequestInit): Promise<Response> => {
  await ordered
  return exchange(url, init)
}

const portOf = <P extends PortName>(host: string, port: P): World[P] =>
  new Proxy({} as World[P], {
    get: (_, member) => {
      // a port is no promise: whoever awaited it would wait for ever
      if (member === 'then') return undefined
      return (...words: readonly unknown[]) => {
        const call = () => give({ host, what: 'port', port, member: String(member), words })
        // a member without parameters is the task itself
        return words.length === 0 ? call() : call
      }
    },
  })

const worldOf = (host: string): World => {
  const clock = makeMovableClock()
  const moving = (member: 'advance' | 'setBack') => (milliseconds: number) => {
    clock[member](milliseconds)
    void give({ host, what: 'clock', member, milliseconds })
  }
  return {
    pets: portOf(host, 'pets'),
    ids: portOf(host, 'ids'),
    apiKeys: portOf(host, 'apiKeys'),
    log: portOf(host, 'log'),
    relay: portOf(host, 'relay'),
    clock: { ...clock, advance: moving('advance'), setBack: moving('setBack') },
    crypto: nodeCrypto,
    ping: () => onlyInProcess('ping'),
    close: () => onlyInProcess('close'),
  }
}

let count = 0

/** A new service, whose ports and clock are reached by orders. */
export const startRemote = async ({ stopping, ...settings }: Partial<AppSettings>) => {
  count += 1
  const host = `pets-${process.pid}-${count}.test`
  await give({ host, what: 'start', settings })
  stopping?.addEventListener('abort', () => void give({ host, what: 'stop' }), { once: true })
  return { url: `http://${host}`, world: worldOf(host), stop: () => void give({ host, what: 'end' }) }
}
