// Compares a store with the memory adapter: the same steps must give the same responses, byte for byte.
import fc from 'fast-check'
import { stringify } from 'lossless-json'
import { expect } from 'vitest'
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import type { IssuedApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { revokeApiKey, rotateApiKey } from '../../../src/domain/api-keys/end-api-key.js'
import type { Ports } from '../../../src/ports/index.js'
import { newPet, petStatus } from '../../../src/testing/arbitraries.js'
import { issueApiKey } from '../domain/issue-api-key.js'
import { type Call, client, type Reply } from './client.js'
import { startHttp } from './http-service.js'

type StorePorts = Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'log' | 'relay'>

// The ports differ, but addresses in responses must not
const settings = { publicUrl: 'http://pets.example/v1' }

/** API keys are in order of creation. */
const startSide = async (ports: Partial<StorePorts>) => {
  const { world, url } = await startHttp({ settings, replace: () => ports })
  const callers: { readonly key: ApiKey; readonly call: Call }[] = []
  const add = ({ key, text }: IssuedApiKey) => void callers.push({ key, call: client(url, text) })
  add(await issueApiKey(world))
  return { world, callers, add }
}

type Side = Awaited<ReturnType<typeof startSide>>

interface Sides {
  readonly model: Side
  readonly tested: Side
  at: number
  next: string | undefined
}

type Step = fc.AsyncCommand<object, Sides>

const step = (name: string, run: (sides: Sides) => Promise<unknown>): Step => ({
  check: () => true,
  run: async (_, sides) => void (await run(sides)),
  toString: () => name,
})

const onEach = <A>({ model, tested }: Sides, run: (side: Side) => Promise<A>): Promise<readonly [A, A]> =>
  Promise.all([run(model), run(tested)])

const callerOf = ({ at }: Sides, { callers }: Side) => {
  const caller = callers[at % callers.length]
  if (caller === undefined) throw new Error('a side begins with one caller')
  return caller
}

/** Headers that depend on the time or the connection. */
const PASSING = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])

const essence = ({ status, headers, text }: Reply) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !PASSING.has(name)),
})

interface RandomRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
}

/** Sends a request to both, `times` times at once. */
const send = async (sides: Sides, { method, path, body, headers }: RandomRequest, times = 1): Promise<void> => {
  const options = body === undefined ? { headers } : { headers, body }
  const [expected, given] = await onEach(sides, async (side) => {
    const { call } = callerOf(sides, side)
    const responses = await Promise.all(Array.from({ length: times }, () => call(method, path, options)))
    return responses.sort((one, other) => one.text.localeCompare(other.text))
  })
  expect(given.map(essence)).toStrictEqual(expected.map(essence))
  sides.next = /<[^>]*(\/v1\/pets\?[^>]*)>; rel="next"/.exec(given[0]?.headers.get('Link') ?? '')?.[1]
}

const requests = (arbitrary: fc.Arbitrary<RandomRequest>, times = 1): fc.Arbitrary<Step> =>
  arbitrary.map((request) => {
    const { method, path, body = '', headers } = request
    const name = `${times} at once: ${method} ${path} ${JSON.stringify(headers)} ${body}`
    return step(name, (sides) => send(sides, request, times))
  })

// Few pets, few idempotency keys and small pages, so that requests often interact

const keyHeaders = fc
  .option(fc.constantFrom('a', 'b'))
  .map((key): RandomRequest['headers'] => (key === null ? {} : { 'Idempotency-Key': key }))

const create = (pets: readonly string[], keys: fc.Arbitrary<RandomRequest['headers']>): fc.Arbitrary<RandomRequest> =>
  fc
    .tuple(fc.constantFrom(...pets, '{"name":""}'), keys)
    .map(([body, headers]) => ({ method: 'POST', path: '/v1/pets', body, headers }))

const query = fc
  .record({
    limit: fc.option(fc.integer({ min: 1, max: 4 })),
    status: fc.option(petStatus()),
    ids: fc.option(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 5 })),
  })
  .map(({ limit, status, ids }) => {
    const parameters = new URLSearchParams()
    if (limit !== null) parameters.append('limit', String(limit))
    if (status !== null) parameters.append('status', status)
    for (const id of ids ?? []) parameters.append('id', String(id))
    return String(parameters)
  })

const list = fc.tuple(query, fc.boolean()).map(
  ([text, isCounted]): RandomRequest => ({
    method: 'GET',
    path: `/v1/pets?${text}`,
    headers: isCounted ? { Prefer: 'count=exact' } : {},
  }),
)

const find = fc
  .integer({ min: 0, max: 30 })
  .map((id): RandomRequest => ({ method: 'GET', path: `/v1/pets/${id}`, headers: {} }))

const nextPage = step('the next page', async (sides) => {
  if (sides.next !== undefined) await send(sides, { method: 'GET', path: sides.next, headers: {} })
})

const DAY_MS = 86_400_000

const times = fc
  .constantFrom(1, 5_000, DAY_MS / 2, DAY_MS - 1, DAY_MS)
  .map((milliseconds) =>
    step(`${milliseconds} ms pass`, (sides) => onEach(sides, async ({ world }) => world.clock.advance(milliseconds))),
  )

const callers = fc.nat({ max: 3 }).map((at) =>
  step(`caller ${at}`, async (sides) => {
    sides.at = at
  }),
)

const keyChanges = fc.constantFrom(
  step('a new key', (sides) =>
    onEach(sides, async ({ world, add }) => add(await issueApiKey(world, undefined, 2 * DAY_MS))),
  ),
  step('the key is rotated', async (sides) => {
    const results = await onEach(sides, async (side) => {
      const { id } = callerOf(sides, side).key
      const rotated = await rotateApiKey(side.world)({ id, overlapMs: DAY_MS / 2 })()
      if (rotated._tag === 'Right') side.add(rotated.right)
      return rotated._tag === 'Right' ? 'rotated' : rotated.left._tag
    })
    expect(results[1]).toBe(results[0])
  }),
  step('the key is revoked', (sides) =>
    onEach(sides, (side) => revokeApiKey(side.world)(callerOf(sides, side).key.id)()),
  ),
)

/** A run has only two or three different bodies, so that a retry often repeats one. */
const steps = fc.array(newPet(), { minLength: 2, maxLength: 3 }).chain((added) => {
  const pets = added.map((pet) => stringify(pet) ?? '')
  // concurrent requests are equal, so that order is irrelevant, and have no keys, whose racing retries may draw ids
  const bursts = requests(fc.oneof(create(pets, fc.constant({})), list, find), 5)
  const creates = Array.from({ length: 3 }, () => requests(create(pets, keyHeaders)))
  const others = [requests(list), requests(find), fc.constant(nextPage), bursts, times, fc.oneof(callers, keyChanges)]
  return fc.commands([...creates, ...others], { size: 'max', maxCommands: 40 })
})

/** Each run uses new, empty stores. A failing run is not shrunk, which would take minutes. */
export const expectSameResponses = (makeStore: () => Promise<StorePorts>, runs: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const { pets, ids, apiKeys, log, relay } = await makeStore()
      const [model, tested] = [await startSide({}), await startSide({ pets, ids, apiKeys, log, relay })]
      await fc.asyncModelRun(() => ({ model: {}, real: { model, tested, at: 0, next: undefined } }), commands)
    }),
    { numRuns: runs, endOnFailure: true },
  )
