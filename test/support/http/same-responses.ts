// Compares a store with the memory adapter: whatever clients, operators and the clock do, the answers are the same, byte for byte.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import { revokeApiKey, rotateApiKey } from '../../../src/domain/api-keys/end-api-key.js'
import type { Ports } from '../../../src/ports/index.js'
import { issueApiKey } from '../domain/issue-api-key.js'
import { type Call, client, type Reply } from './client.js'
import { startHttp, type TestService } from './http-service.js'
import { bodies, create, find, list, type RandomRequest } from './random-requests.js'

type StorePorts = Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'log' | 'relay'>

interface Caller {
  readonly key: ApiKey
  readonly call: Call
}

/** A service with its API keys, in the order in which they were made. */
interface Side {
  readonly world: TestService['world']
  readonly callers: readonly Caller[]
  readonly add: (issued: { readonly key: ApiKey; readonly text: string }) => void
}

interface Sides {
  readonly model: Side
  readonly tested: Side
  at: number
  next: string | undefined
}

type Step = fc.AsyncCommand<object, Sides>

const step = (name: string, run: (sides: Sides) => Promise<void>): Step => ({
  check: () => true,
  run: (_, sides) => run(sides),
  toString: () => name,
})

/** Headers that depend on the time or the connection. */
const PASSING = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])

const essence = ({ status, headers, text }: Reply) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !PASSING.has(name)),
})

const onEach = <A>({ model, tested }: Sides, run: (side: Side) => Promise<A>): Promise<readonly [A, A]> =>
  Promise.all([run(model), run(tested)])

const callerOf = ({ at }: Sides, { callers }: Side): Caller => {
  const caller = callers[at % callers.length]
  if (caller === undefined) throw new Error('a side begins with one caller')
  return caller
}

/** Sends a request, several times at once, to both. */
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

const shown = ({ method, path, body = '', headers }: RandomRequest): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${body}`

const requests = (arbitrary: fc.Arbitrary<RandomRequest>): fc.Arbitrary<Step> =>
  arbitrary.map((request) => step(shown(request), (sides) => send(sides, request)))

// equal requests, so that any order in which they are served has the same answers; no keys, whose racing retries may draw ids
const bursts = (pets: readonly string[]): fc.Arbitrary<Step> =>
  fc
    .oneof(create(pets, fc.constant({})), list(), find())
    .map((request) => step(`5 at once: ${shown(request)}`, (sides) => send(sides, request, 5)))

const pages = (): fc.Arbitrary<Step> =>
  fc.constant(
    step('the next page', async (sides) => {
      if (sides.next !== undefined) await send(sides, { method: 'GET', path: sides.next, headers: {} })
    }),
  )

const DAY_MS = 86_400_000

const times = (): fc.Arbitrary<Step> =>
  fc.constantFrom(1, 5_000, DAY_MS / 2, DAY_MS - 1, DAY_MS).map((milliseconds) =>
    step(`${milliseconds} ms pass`, async (sides) => {
      await onEach(sides, async ({ world }) => world.clock.advance(milliseconds))
    }),
  )

const keyChanges = (): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.nat({ max: 3 }).map((at) =>
      step(`caller ${at}`, async (sides) => {
        sides.at = at
      }),
    ),
    fc.constantFrom(
      step('a new key', async (sides) => {
        await onEach(sides, async ({ world, add }) => add(await issueApiKey(world, undefined, 2 * DAY_MS)))
      }),
      step('the key is rotated', async (sides) => {
        const results = await onEach(sides, async (side) => {
          const { id } = callerOf(sides, side).key
          const rotated = await rotateApiKey(side.world)({ id, overlapMs: DAY_MS / 2 })()
          if (rotated._tag === 'Right') side.add(rotated.right)
          return rotated._tag === 'Right' ? 'rotated' : rotated.left._tag
        })
        expect(results[1]).toBe(results[0])
      }),
      step('the key is revoked', async (sides) => {
        await onEach(sides, (side) => revokeApiKey(side.world)(callerOf(sides, side).key.id)())
      }),
    ),
  )

const steps = () =>
  bodies().chain((pets) =>
    fc.commands(
      [
        ...Array.from({ length: 3 }, () => requests(create(pets))),
        requests(list()),
        requests(find()),
        pages(),
        bursts(pets),
        times(),
        keyChanges(),
      ],
      { size: 'max', maxCommands: 40 },
    ),
  )

// the port must not make addresses in responses differ
const settings = { publicUrl: 'http://pets.example/v1' }

const startSide = async (ports: Partial<StorePorts>): Promise<Side> => {
  const { world, url } = await startHttp({ settings, replace: () => ports })
  const callers: Caller[] = []
  const add: Side['add'] = ({ key, text }) => void callers.push({ key, call: client(url, text) })
  add(await issueApiKey(world))
  return { world, callers, add }
}

/** Checks random steps, each run on a new, empty store. Does not shrink a failing run, which would take minutes. */
export const expectSameResponses = (makeStore: () => Promise<StorePorts>, runs: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(steps(), async (commands) => {
      const { pets, ids, apiKeys, log, relay } = await makeStore()
      const [model, tested] = [await startSide({}), await startSide({ pets, ids, apiKeys, log, relay })]
      await fc.asyncModelRun(() => ({ model: {}, real: { model, tested, at: 0, next: undefined } }), commands)
    }),
    { numRuns: runs, endOnFailure: true },
  )
