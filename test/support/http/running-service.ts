// A whole service over given ports on a socket, with a key that has all scopes, until the test ends.
import * as O from 'fp-ts/lib/Option.js'
import { onTestFinished } from 'vitest'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { DEFAULT_SERVICE, type ServiceSettings } from '../../../src/composition/make-service.js'
import { SCOPES } from '../../../src/domain/api-keys/api-key.js'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { type StartPorts, startService } from '../../../src/start-service.js'
import { succeed } from '../../../src/testing/outcome.js'

interface Sent {
  readonly body?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export const runService = async (changes: Partial<ServiceSettings>, ports: StartPorts) => {
  const settings = { ...DEFAULT_SERVICE, port: 0, drainMs: 0, ...changes }
  const service = await succeed(startService(settings, ports))
  onTestFinished(async () => {
    await service.stop()
  })
  const create = createApiKey({ apiKeys: ports.store.apiKeys, clock: systemClock, crypto: nodeCrypto })
  const { key, text } = await succeed(create({ name: O.none, scopes: SCOPES, lifetimeMs: O.none }))
  const authorization = { Authorization: `Bearer ${text}` }
  const call = (method: string, path: string, { body = null, headers }: Sent = {}): Promise<Response> =>
    fetch(service.url + path, {
      method,
      body,
      headers: { ...authorization, 'Content-Type': 'application/json', ...headers },
    })
  return { ...service, keyId: key.id, authorization, call }
}
