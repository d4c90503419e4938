// Compares a store with the memory adapter: the same random requests must get the same responses, byte for byte.
import fc from 'fast-check'
import { stringify } from 'lossless-json'
import { expect } from 'vitest'
import type { Ports } from '../../../src/ports/index.js'
import { newPet, petStatus } from '../../../src/testing/arbitraries.js'
import type { Answer } from './client.js'
import { startHttp, type TestService } from './http-service.js'

type StorePorts = Pick<Ports, 'pets' | 'ids'>

/** One request; a list may continue where the previous list ended. */
interface Step {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
  readonly isNextPage?: boolean
}

const idempotencyKeyHeaders = (): fc.Arbitrary<Readonly<Record<string, string>>> =>
  fc
    .option(fc.constantFrom('a', 'b'))
    .map((key): Readonly<Record<string, string>> => (key === null ? {} : { 'Idempotency-Key': key }))

// few different pets, so that a retry often has the same one
const create = (pets: readonly string[]): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.constantFrom(...pets, '{"name":""}'), idempotencyKeyHeaders())
    .map(([body, headers]) => ({ method: 'POST', path: '/v1/pets', body, headers }))

const query = (): fc.Arbitrary<string> =>
  fc
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

const list = (): fc.Arbitrary<Step> =>
  fc.tuple(query(), fc.boolean(), fc.boolean()).map(([text, counted, isNextPage]) => ({
    method: 'GET',
    path: `/v1/pets?${text}`,
    headers: counted ? { Prefer: 'count=exact' } : {},
    isNextPage,
  }))

const find = (): fc.Arbitrary<Step> =>
  fc.integer({ min: 0, max: 30 }).map((id) => ({ method: 'GET', path: `/v1/pets/${id}`, headers: {} }))

const steps = (): fc.Arbitrary<readonly Step[]> =>
  fc
    .array(newPet(), { minLength: 2, maxLength: 3 })
    .map((pets) => pets.map((pet) => stringify(pet) ?? ''))
    .chain((pets) =>
      fc.array(fc.oneof({ weight: 3, arbitrary: create(pets) }, { weight: 2, arbitrary: list() }, find()), {
        minLength: 10,
        maxLength: 30,
      }),
    )

/** Headers that depend on the time or the connection. */
const PASSING = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])

const essence = ({ status, headers, text }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !PASSING.has(name)),
})

const answers = async (service: TestService, requests: readonly Step[]) => {
  const given: unknown[] = []
  let next: string | undefined
  for (const { method, path, body, headers, isNextPage = false } of requests) {
    const target = isNextPage && next !== undefined ? next : path
    const answer = await service.call(method, target, body === undefined ? { headers } : { headers, body })
    next = /<[^>]*(\/v1\/pets\?[^>]*)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1]
    given.push(essence(answer))
  }
  return given
}

// the port must not make addresses in responses differ
const settings = { publicUrl: 'http://pets.example/v1' }

/** Checks random requests, each run on a new, empty store. Does not shrink a failing run, which would take minutes. */
export const expectSameAnswers = (makeStore: () => Promise<StorePorts>, runs: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(steps(), async (requests) => {
      const model = await startHttp({ settings })
      const { pets, ids } = await makeStore()
      const service = await startHttp({ settings, replace: () => ({ pets, ids }) })
      expect(await answers(service, requests)).toStrictEqual(await answers(model, requests))
    }),
    { numRuns: runs, endOnFailure: true },
  )
