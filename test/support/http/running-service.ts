// A service with a key that has all scopes, on a socket, over given ports, until the test ends.
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { DEFAULT_SERVICE, type ServiceSettings } from '../../../src/composition/make-listener.js'
import { type StartPorts, startService } from '../../../src/composition/start-service.js'
import type { ServedStore } from '../../../src/ports/store.js'
import { succeed } from '../../../src/testing/samples.js'
import { issueApiKey } from '../domain/issue-api-key.js'

interface Sent {
  readonly body?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Checks that the store is closed and that nothing calls it afterwards. */
const watchedStore = (store: ServedStore) => {
  let isClosed = false
  const late: string[] = []
  const watched = <P extends object>(name: string, port: P): P =>
    new Proxy(port, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member)
        if (typeof value !== 'function') return value
        return (...words: readonly unknown[]): unknown => {
          if (isClosed) late.push(`${name}.${String(member)}`)
          return Reflect.apply(value, target, words)
        }
      },
    })
  const ports = {
    pets: watched('pets', store.pets),
    ids: watched('ids', store.ids),
    apiKeys: watched('apiKeys', store.apiKeys),
    ...(store.log !== undefined && { log: watched('log', store.log) }),
    ...(store.relay !== undefined && { relay: watched('relay', store.relay) }),
  }
  const close = async (): Promise<void> => {
    isClosed = true
    await store.close()
  }
  return { store: { ...store, ...ports, close }, isClosed: () => isClosed, late }
}

/** On its own connection: a stop waits a second for the next request on a kept one. */
export const fetchOnce = (
  url: string,
  { method = 'GET', body = null, headers }: Sent & { readonly method?: string } = {},
) => fetch(url, { method, body, headers: { ...headers, Connection: 'close' } })

export const runService = async (changes: Partial<ServiceSettings>, ports: StartPorts) => {
  const settings = { ...DEFAULT_SERVICE, port: 0, drainMs: 0, ...changes }
  const watched = watchedStore(ports.store)
  const service = await succeed(startService(settings, { ...ports, store: watched.store }))
  onTestFinished(async () => {
    await service.stop()
    expect(watched.isClosed(), 'the store is closed after the stop').toBe(true)
    // a leaked timer would call the store now
    await pause(20)
    expect(watched.late, 'calls of the store after it was closed').toStrictEqual([])
  })
  const { key, text } = await issueApiKey(ports.store)
  const authorization = { Authorization: `Bearer ${text}` }
  const call = (method: string, path: string, { body = null, headers }: Sent = {}): Promise<Response> =>
    fetchOnce(service.url + path, {
      method,
      body,
      headers: { ...authorization, 'Content-Type': 'application/json', ...headers },
    })
  return { ...service, keyId: key.id, authorization, call }
}
