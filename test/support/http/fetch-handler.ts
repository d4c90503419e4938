// A fetch handler over ports in memory, and a key for it.
import * as O from 'fp-ts/lib/Option.js'
import type { HandlerSettings } from '../../../src/adapters/http/fetch/app.js'
import { makeFetchHandler } from '../../../src/composition/make-fetch-handler.js'
import { DEFAULT_HANDLER } from '../../../src/composition/use-cases.js'
import { SCOPES } from '../../../src/domain/api-keys/api-key.js'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import type { RequestReport } from '../../../src/ports/observer.js'
import { succeed } from '../../../src/testing/samples.js'
import { makeWorld } from '../domain/domain-world.js'

export const PETS = 'https://pets.example/v1/pets'

export const startHandler = async (settings: Partial<HandlerSettings> = {}) => {
  const world = makeWorld()
  const responses: RequestReport[] = []
  const causes: unknown[] = []
  const observer = {
    responded: (response: RequestReport) => void responses.push(response),
    failed: (cause: unknown) => void causes.push(cause),
  }
  const handle = makeFetchHandler(world, { ...DEFAULT_HANDLER, observer, ...settings })
  const { text } = await succeed(createApiKey(world)({ name: O.none, scopes: SCOPES, lifetimeMs: O.none }))
  const headers = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' }
  const call = (url: string, init: RequestInit = {}) => handle(new Request(url, { headers, ...init }))
  return { handle, headers, call, responses, causes }
}
