// The operations on pets and orders: request → use case → reply.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { int64FromPlainText } from '../../../domain/codecs/scalar.js'
import type { AddPet } from '../../../domain/pets/add-pet.js'
import type { GetPet, ListPets } from '../../../domain/pets/find-pets.js'
import { parseNewPetJson, petJson, petsJson } from '../../../domain/pets/pet.js'
import type { Crypto } from '../../../ports/crypto.js'
import type { HttpFailure } from '../failures.js'
import { itemFrom, membersOf } from '../messages/field-values.js'
import { type HeaderFields, type HttpRequest, jsonReply, traceParentOf } from '../messages/message.js'
import { prefersExactCount } from '../messages/preferences.js'
import type { BodyEndpoint, Endpoint } from '../route.js'
import { conditional, makeReplyMemory, type TaggedReply, tagged } from './conditional.js'
import { limitOf, nextLink, parametersOf, petQueryOf } from './list-query.js'

type Headers = Pick<HttpRequest, 'header'>

const BARE_KEY = /^[\x21-\x7e]{1,255}$/
const QUOTED_KEY = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

const invalidKey = (reason: string): E.Either<HttpFailure, never> =>
  E.left({ _tag: 'InvalidParameter', reason: `Idempotency-Key ${reason}` })

/** The idempotency key: 1 to 255 visible characters. A quoted one (RFC 8941 §3.3.3) equals its bare form. */
export const idempotencyKeyOf = ({ header }: Headers): E.Either<HttpFailure, O.Option<string>> => {
  const [sent, ...more] = header('idempotency-key')
  if (sent === undefined) return E.right(O.none)
  if (more.length > 0) return invalidKey('must be given once')
  const key = QUOTED_KEY.exec(sent)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? sent
  const isWellFormed = BARE_KEY.test(key) && (key !== sent || !sent.startsWith('"'))
  return isWellFormed ? E.right(O.some(key)) : invalidKey('must have 1 to 255 visible characters, quoted or bare')
}

const unsupported = (reason: string): HttpFailure => ({ _tag: 'UnsupportedMediaType', reason })

/** The failure of a request whose headers announce a body that is not plain JSON in UTF-8. */
export const mediaTypeFailure = ({ header }: Headers): HttpFailure | undefined => {
  const [type = '', ...more] = header('content-type')
  if (type !== 'application/json' || more.length > 0) {
    const item = more.length > 0 ? undefined : itemFrom(type)
    if (item?.value !== 'application/json') return unsupported('the Content-Type must be application/json')
    if (item.parameters.some(([name, value]) => name === 'charset' && value.toLowerCase() !== 'utf-8'))
      return unsupported('the charset must be utf-8')
  }
  const codings = header('content-encoding')
  const isIdentity = codings.length === 0 || membersOf(codings).every((coding) => coding.toLowerCase() === 'identity')
  return isIdentity ? undefined : unsupported('the Content-Encoding must be identity')
}

const unmet = (reason: string): HttpFailure => ({ _tag: 'PreconditionFailed', reason })

/**
 * The failure of a conditional create. Its target, the list, exists, so `If-None-Match: *` never holds. `If-Match`
 * holds only for `*`, because a client would not mean the tag of the whole list.
 */
const createConditionFailure = ({ header }: Headers): HttpFailure | undefined => {
  const match = header('if-match')
  if (match.length > 0 && match.join().trim() !== '*') return unmet('a create meets no If-Match but *')
  const isUnmet = header('if-none-match').some((line) => membersOf([line]).includes('*'))
  return isUnmet ? unmet('a create never meets If-None-Match: *') : undefined
}

export const createPetEndpoint =
  (addPet: AddPet): BodyEndpoint =>
  (request, { lineage }) => {
    const sentKey = idempotencyKeyOf(request)
    if (E.isLeft(sentKey)) return sentKey
    const failure = mediaTypeFailure(request) ?? createConditionFailure(request)
    if (failure !== undefined) return E.left(failure)
    return E.right(async (body) => {
      const newPet = parseNewPetJson(body)
      if (E.isLeft(newPet)) return newPet
      const added = await addPet({
        newPet: newPet.right,
        idempotencyKey: O.map((key: string) => ({ lineage, key }))(sentKey.right),
        traceparent: traceParentOf(request.header('traceparent').join()),
      })()
      if (E.isLeft(added)) return added
      const { pet, replayed } = added.right
      const headers: HeaderFields = [['Location', `${request.baseUrl}/pets/${pet.id}`]]
      if (!replayed) return E.right(jsonReply(201, petJson(pet), headers))
      const reply = jsonReply(201, petJson(pet), [...headers, ['Idempotent-Replayed', 'true']])
      return E.right({ ...reply, detail: 'replayed' })
    })
  }

/** Cached replies; they take 2 MiB. */
const KEPT_PETS = 4_096

/** Cached replies; one with the longest names takes 60 kB. */
const KEPT_LISTS = 64

export const getPetEndpoint = (getPet: GetPet, sha256: Crypto['sha256']): Endpoint => {
  const keptOr = makeReplyMemory(KEPT_PETS)
  return async (request) => {
    const { petId = '' } = request.params
    const id = int64FromPlainText(petId)
    if (O.isNone(id)) return E.left({ _tag: 'PetNotFound' })
    const found = await getPet(id.value)()
    if (E.isLeft(found)) return found
    const make = () => tagged(jsonReply(200, petJson(found.right)), sha256)
    return conditional(request, keptOr(petId, [found.right], make))
  }
}

/** GET /pets/{petId} when it is disabled. */
export const removedEndpoint: Endpoint = async () => E.left({ _tag: 'OperationRemoved' })

export const listPetsEndpoint = (listPets: ListPets, sha256: Crypto['sha256']): Endpoint => {
  const keptOr = makeReplyMemory(KEPT_LISTS)
  return async (request) => {
    const parameters = parametersOf(request)
    const query = petQueryOf(parameters, sha256)
    if (E.isLeft(query)) return query
    const listed = await listPets({ query: query.right, counted: prefersExactCount(request) })()
    if (E.isLeft(listed)) return listed
    const { page, total } = listed.right
    const next = O.toUndefined(page.next)
    const make = (): TaggedReply => {
      // the total is sent only if requested
      const headers: [string, string][] = [['Vary', 'Prefer']]
      if (next !== undefined) headers.push(['Link', nextLink(request.baseUrl, parameters, query.right, next, sha256)])
      if (O.isSome(total)) headers.push(['X-Total-Count', String(total.value)], ['Preference-Applied', 'count=exact'])
      return tagged(jsonReply(200, petsJson(page.pets), headers), sha256)
    }
    if (O.isSome(total)) return conditional(request, make())
    return conditional(request, keptOr(`${request.baseUrl} ${request.query} ${next}`, page.pets, make))
  }
}

/** GET /store/orders: in the contract, but no operation creates an order, so the list is always empty. */
export const listOrdersEndpoint: Endpoint = async (request) =>
  pipe(
    limitOf(parametersOf(request)),
    E.map(() => jsonReply(200, '[]')),
  )
