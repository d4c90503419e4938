import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { stringify } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { idempotencyKeyOf } from '../../../src/adapters/http/endpoints/pets.js'
import { routeTable } from '../../../src/adapters/http/routes.js'
import { DEFAULT_HANDLER, useCasesOf } from '../../../src/composition/use-cases.js'
import { parseJson } from '../../../src/domain/json/parse-json.js'
import { NEW_PET_MEMBERS, NewPet, Pet, PetStatus } from '../../../src/domain/pets/pet.js'
import { DEFAULT_LIMIT, Limit, MAX_IDS } from '../../../src/domain/pets/pet-query.js'
import { newPet, pet, petStatus } from '../../../src/testing/arbitraries.js'
import { exactJson } from '../../support/documents/exact-json.js'
import { type Operation, operations, prefix } from '../../support/documents/openapi-document.js'
import { schemaFaults } from '../../support/documents/openapi-schema.js'
import { makeWorld } from '../../support/domain/domain-world.js'

const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const isBySchema = (name: string, json: string): boolean => schemaFaults(named(name), exactJson(json)).length === 0
const isByCodec = (codec: t.Mixed, json: string): boolean => {
  const value = parseJson(json)
  return E.isRight(value) && E.isRight(codec.decode(value.right))
}

/** Values on both sides of every bound. */
const borders: readonly unknown[] = [
  ...['', ' ', '\u2003\ufeff', '\ud83d', 'x\udc36', '\0', 'x'.repeat(256), 'x'.repeat(257)],
  ...['\u{1f436}'.repeat(256), '\u{1f436}'.repeat(257), 'sold', 'Available', 'sold ', '1', null, true, 0.5, 1e300],
  ...[2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), -(2n ** 63n) - 1n, 0n, [], {}, ['sold'], { name: 'x' }],
]

const anything = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(...borders),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.string({ unit: 'binary' }),
    fc.jsonValue({ maxDepth: 2 }),
  )

/** Valid, invalid and missing members. */
const record = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(members).map(([name, right]) => [
        name,
        fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: anything() }),
      ]),
    ),
    { requiredKeys: [] },
  )

const anyValueOf = (member: keyof Pet): fc.Arbitrary<unknown> =>
  pet()
    .map((one) => one[member])
    .filter((value) => value !== undefined)

const members = Object.fromEntries((['id', ...NEW_PET_MEMBERS] as const).map((member) => [member, anyValueOf(member)]))

it.each<[name: string, codec: t.Mixed, valid: fc.Arbitrary<unknown>, mutated: fc.Arbitrary<unknown>]>([
  ['PetStatus', PetStatus, petStatus(), petStatus().map((status) => [status])],
  // NewPet ignores unknown members with any value
  ['NewPet', NewPet, newPet(), record({ ...members, toString: anything() })],
  ['Pet', Pet, pet(), record(members)],
])('the schema %s accepts the same values as the codec', (name, codec, valid, mutated) => {
  let accepted = 0
  const runs = 300
  fc.assert(
    fc.property(fc.oneof(valid, mutated, mutated, anything()), (value) => {
      const json = stringify(value) ?? 'null'
      expect(isBySchema(name, json), json).toBe(isByCodec(codec, json))
      if (isByCodec(codec, json)) accepted += 1
    }),
    { numRuns: runs },
  )
  expect(accepted).toBeGreaterThan(runs / 10)
  expect(accepted).toBeLessThan(runs * 0.9)
})

it.each(NEW_PET_MEMBERS)('the schema of a new pet treats a %s at every limit like the codec', (member) => {
  for (const value of borders) {
    const json = stringify({ name: 'x', categoryId: 1n, [member]: value }) ?? ''
    expect(isBySchema('NewPet', json), json).toBe(isByCodec(NewPet, json))
  }
})

it('allows no other members in Pet, but in NewPet [rule-1 compatible]', () => {
  const more = '{"id":1,"name":"x","categoryId":1,"more":1}'
  expect(isBySchema('Pet', more)).toBe(false)
  expect(isBySchema('NewPet', more)).toBe(true)
})

describe('the parameters', () => {
  const parameters = new Map(operations.flatMap((operation) => [...operation.parameters]))

  it('have the same bounds and default of limit as its codec [limit]', () => {
    const schema = parameters.get('limit') ?? {}
    for (let limit = -200; limit <= 200; limit += 1) {
      expect(schemaFaults(schema, BigInt(limit)).length === 0, String(limit)).toBe(Limit.is(limit))
    }
    expect(schema).toMatchObject({ default: DEFAULT_LIMIT })
  })

  it('allow the same statuses and number of ids as the service [pet-status]', () => {
    expect(parameters.get('status')).toStrictEqual(named('PetStatus'))
    expect(parameters.get('id')).toMatchObject({ maxItems: MAX_IDS })
  })

  it('accept the same Idempotency-Keys as the service', () => {
    const schema = parameters.get('Idempotency-Key') ?? {}
    const key = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '~', '"', '\\', ' '), maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', '~'), minLength: 250, maxLength: 260 }),
      fc.string({ unit: fc.constantFrom('a', '~', '\\"'), minLength: 250, maxLength: 260 }).map((text) => `"${text}"`),
    )
    fc.assert(
      fc.property(key, (text) => {
        const taken = E.isRight(idempotencyKeyOf({ header: () => [text] }))
        expect(schemaFaults(schema, text).length === 0, text).toBe(taken)
      }),
      { numRuns: 300 },
    )
  })
})

it('the operations are the routes of the service [rule-3]', () => {
  const routes = routeTable(useCasesOf(makeWorld()), { ...DEFAULT_HANDLER, documentation: undefined })
  const shown = (all: readonly { readonly method: string; readonly path: string }[]) =>
    all.map(({ method, path }) => `${method} ${path}`).toSorted()
  expect(shown(operations)).toStrictEqual(shown(routes.filter(({ path }) => path.startsWith(`${prefix}/`))))
})

it('a 304 is described with the headers of the 200', () => {
  const namesIn = ({ responses }: Operation, status: number) =>
    Object.keys(responses.get(status)?.headers ?? {}).toSorted()
  const conditional = operations.filter(({ responses }) => responses.has(304))
  expect(conditional.map((one) => namesIn(one, 304))).toStrictEqual(conditional.map((one) => namesIn(one, 200)))
})
