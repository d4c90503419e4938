// Random requests that often meet each other: few different pets, few idempotency keys, small pages.
import fc from 'fast-check'
import { stringify } from 'lossless-json'
import { newPet, petStatus } from '../../../src/testing/arbitraries.js'

export interface RandomRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
}

const keyHeaders = (): fc.Arbitrary<Readonly<Record<string, string>>> =>
  fc
    .option(fc.constantFrom('a', 'b'))
    .map((key): Readonly<Record<string, string>> => (key === null ? {} : { 'Idempotency-Key': key }))

/** Bodies of two or three pets, the same in a whole run, so that a retry often has the same one. */
export const bodies = (): fc.Arbitrary<readonly string[]> =>
  fc.array(newPet(), { minLength: 2, maxLength: 3 }).map((pets) => pets.map((pet) => stringify(pet) ?? ''))

export const create = (
  pets: readonly string[],
  headers: fc.Arbitrary<RandomRequest['headers']> = keyHeaders(),
): fc.Arbitrary<RandomRequest> =>
  fc
    .tuple(fc.constantFrom(...pets, '{"name":""}'), headers)
    .map(([body, sent]) => ({ method: 'POST', path: '/v1/pets', body, headers: sent }))

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

export const list = (): fc.Arbitrary<RandomRequest> =>
  fc.tuple(query(), fc.boolean()).map(([text, isCounted]) => ({
    method: 'GET',
    path: `/v1/pets?${text}`,
    headers: isCounted ? { Prefer: 'count=exact' } : {},
  }))

export const find = (): fc.Arbitrary<RandomRequest> =>
  fc.integer({ min: 0, max: 30 }).map((id) => ({ method: 'GET', path: `/v1/pets/${id}`, headers: {} }))
