// Compares the errors in openapi.yaml with those that the service sends: codes, statuses, headers, messages.
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { RateState } from '../../../src/adapters/http/access/rate-limit.js'
import { limitOf } from '../../../src/adapters/http/endpoints/list-query.js'
import { idempotencyKeyOf, mediaTypeFailure } from '../../../src/adapters/http/endpoints/pets.js'
import { type AnyFailure, makeErrorReply } from '../../../src/adapters/http/failures.js'
import { parserFailure } from '../../../src/adapters/http/server/malformed-requests.js'
import { faultsOf } from '../../../src/domain/codecs/struct.js'
import { unavailable } from '../../../src/domain/errors.js'
import { parseJson } from '../../../src/domain/json/parse-json.js'
import { NewPet } from '../../../src/domain/pets/pet.js'
import { exactJson } from '../../support/documents/exact-json.js'
import { operations, schemas } from '../../support/documents/openapi-document.js'
import { schemaFaults } from '../../support/documents/openapi-schema.js'

const errorReply = makeErrorReply(undefined, true)
const REQUEST_ID = '0b0e4b1a-6c1f-4c0c-9d3f-6c1a7f1a2b3c'
const STATE: RateState = { isExceeded: true, remaining: 0, resetsInSeconds: 12, policy: { quota: 1, windowSeconds: 1 } }

const leftOf = <F>(result: E.Either<F, unknown>): F => (E.isLeft(result) ? result.left : expect.fail('no failure'))
const tagged = <T extends AnyFailure['_tag']>(tag: T, failure: AnyFailure | undefined) =>
  failure?._tag === tag ? (failure as Extract<AnyFailure, { readonly _tag: T }>) : expect.fail(`no ${tag}`)
const header = (text: string) => ({ header: () => [text] })
const noToken = Object.assign(new Error('the parser refuses it'), { code: 'HPE_INVALID_HEADER_TOKEN' })
const faults = faultsOf(leftOf(NewPet.decode({ categoryId: 1n, status: 'gone' })))

const failures: { readonly [T in AnyFailure['_tag']]: Extract<AnyFailure, { readonly _tag: T }> } = {
  BadRequest: tagged('BadRequest', parserFailure(noToken)),
  MalformedJson: leftOf(parseJson('{"name":"Rex","categoryId":}')),
  InvalidParameter: tagged('InvalidParameter', leftOf(limitOf(new URLSearchParams('limit=500')))),
  InvalidCursor: { _tag: 'InvalidCursor' },
  ValidationFailed: { _tag: 'ValidationFailed', faults },
  MissingApiKey: { _tag: 'MissingApiKey' },
  InvalidApiKey: { _tag: 'InvalidApiKey', reason: 'expired', keyId: O.some('k') },
  InsufficientScope: { _tag: 'InsufficientScope', required: 'pets:read' },
  PetNotFound: { _tag: 'PetNotFound' },
  RouteNotFound: { _tag: 'RouteNotFound', hasPages: true },
  MethodNotAllowed: { _tag: 'MethodNotAllowed', allow: 'GET, HEAD, OPTIONS' },
  RequestTimeout: { _tag: 'RequestTimeout' },
  OperationRemoved: { _tag: 'OperationRemoved' },
  PreconditionFailed: { _tag: 'PreconditionFailed', reason: 'the ETag of the response is none of those in If-Match' },
  PayloadTooLarge: { _tag: 'PayloadTooLarge', maxBytes: 65_536 },
  UnsupportedMediaType: tagged('UnsupportedMediaType', mediaTypeFailure(header('text/plain'))),
  ExpectationFailed: { _tag: 'ExpectationFailed' },
  IdempotencyKeyReused: { _tag: 'IdempotencyKeyReused' },
  RateLimited: { _tag: 'RateLimited', state: STATE },
  HeadersTooLarge: { _tag: 'HeadersTooLarge' },
  Defect: { _tag: 'Defect', cause: undefined },
  Unavailable: unavailable(new Error('c')),
  Overloaded: { _tag: 'Overloaded' },
  TooManyStreams: { _tag: 'TooManyStreams' },
  Stopping: { _tag: 'Stopping' },
}

describe('the errors', () => {
  const replies = Object.values(failures).map((failure) => errorReply(failure, 'r'))
  const sent = replies.map(({ status, body }) => [
    status,
    /^\{"code":"(\w+)","message":".+","status":\d+\}$/.exec(body)?.[1],
  ])

  it('are exactly the codes that the service sends [codes compatible]', () => {
    const { properties } = schemas['Error'] ?? {}
    expect(properties).toMatchObject({
      code: { 'x-extensible-enum': expect.arrayContaining(sent.map(([, code]) => code)) },
    })
    const listed = JSON.stringify(properties).match(/"x-extensible-enum":(\[[^\]]*\])/)?.[1] ?? '[]'
    expect(JSON.parse(listed)).toHaveLength(new Set(sent.map(([, code]) => code)).size)
  })

  it('are all in the table of the schema, with their status', () => {
    const rows = JSON.stringify(schemas['Error']).matchAll(/\| (\d{3}) \| (`[^|]+`) \|/g)
    const listed = [...rows].flatMap(([, status, codes = '']) =>
      codes.split(' ').map((code) => `${status} ${code.replaceAll('`', '')}`),
    )
    expect(listed.toSorted()).toStrictEqual([...new Set(sent.map((pair) => pair.join(' ')))].toSorted())
  })

  it('are documented with their status at an operation, except for an unknown path', () => {
    const documented = operations.flatMap(({ responses }) =>
      [...responses].flatMap(([status, { codes }]) => codes.map((code) => `${status} ${code}`)),
    )
    expect([...new Set(documented)].toSorted()).toStrictEqual(
      [...new Set(sent.map((pair) => pair.join(' ')))].filter((pair) => pair !== '404 route_not_found').toSorted(),
    )
  })

  it('have the shape of Error, with any message [error-shape]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (reason) => {
        const { body } = errorReply({ _tag: 'BadRequest', reason }, 'r')
        expect(schemaFaults({ $ref: '#/components/schemas/Error' }, exactJson(body))).toStrictEqual([])
      }),
    )
  })
})

/** Failures from the service's own parsers. */
const samples: readonly AnyFailure[] = [
  ...Object.values(failures),
  leftOf(idempotencyKeyOf(header(''))),
  { _tag: 'InsufficientScope', required: 'pets:write' },
]

const sent = samples.map((failure): unknown => JSON.parse(errorReply(failure, REQUEST_ID).body))
const shown = operations.flatMap(({ operationId, responses }) =>
  [...responses].flatMap(([status, { content }]) =>
    Object.values(content['application/json']?.examples ?? {}).map((example) => ({ operationId, status, example })),
  ),
)

it.each(shown)(
  'the examples of errors equal the responses of the service: $operationId $status [rule-2]',
  ({ example: { value } }) => {
    expect(sent).toContainEqual(value)
  },
)
