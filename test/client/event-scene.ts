// A client that follows the events of a whole service in this process, over a way that a test breaks.
import { onTestFinished } from 'vitest'
import { orThrow, type Result } from '../../src/client/client-error.js'
import { type ClientSettings, makeClient } from '../../src/client/make-client.js'
import type { PetCreated } from '../../src/client/pet.js'
import { makeFetchHandler } from '../../src/composition/make-fetch-handler.js'
import { DEFAULT_HANDLER } from '../../src/composition/use-cases.js'
import { addAll, numbered, range } from '../../src/testing/samples.js'
import { makeWorld } from '../support/domain/domain-world.js'
import { issueApiKey } from '../support/domain/issue-api-key.js'

type Fetch = (request: Request) => Promise<Response>
export type Way = (request: Request, next: Fetch) => Promise<Response>

export const HUGE = 9_223_372_036_854_775_807n

export const isStream = (request: Request): boolean => request.headers.get('Accept') === 'text/event-stream'

export const next = async (iterator: AsyncIterator<Result<PetCreated>>): Promise<PetCreated> => {
  const result = await iterator.next()
  if (result.done === true) throw new Error('the events have ended')
  return orThrow(result.value)
}

export const scene = async (
  pets: number,
  way: Way = (request, next) => next(request),
  settings: Partial<ClientSettings> = {},
) => {
  const world = makeWorld()
  const { text } = await issueApiKey(world, ['pets:write', 'events:read'])
  let open = 0
  const stream = (change: { readonly open: number }): void => {
    open += change.open
  }
  const observer = { ...DEFAULT_HANDLER.observer, stream }
  const handle = makeFetchHandler(world, { ...DEFAULT_HANDLER, observer })
  const client = makeClient({
    baseUrl: 'https://pets.test/v1',
    apiKey: text,
    attemptTimeoutMs: 300,
    backOff: { initialMs: 1, maxMs: 5 },
    ...settings,
    platform: { fetch: (request) => way(request, handle), ...settings.platform },
  })
  const add = (from: number, to: number) =>
    addAll(
      world.pets,
      range(from, to).map((id) => numbered(id, { name: 'Rex', categoryId: HUGE })),
    )
  await add(1, pets)
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const events = (after?: string) => client.events({ after, signal: leaving.signal })[Symbol.asyncIterator]()
  return { client, add, events, leaving, open: () => open }
}
