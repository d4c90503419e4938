// The operations on pets and orders: request → use case → reply.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { int64FromPlainText } from '../../../domain/codecs/scalar.js'
import type { AddPet } from '../../../domain/pets/add-pet.js'
import type { GetPet, ListPets } from '../../../domain/pets/find-pets.js'
import { parseNewPetJson, petJson, petsJson } from '../../../domain/pets/pet.js'
import type { Crypto } from '../../../ports/crypto.js'
import { type HeaderFields, jsonReply } from '../messages/message.js'
import {
  createConditionFailure,
  idempotencyKeyOf,
  mediaTypeFailure,
  prefersExactCount,
  traceParentOf,
} from '../messages/request-headers.js'
import type { BodyEndpoint, Endpoint } from '../route.js'
import { conditional, makeReplyMemory, type TaggedReply, tagged } from './conditional.js'
import { limitOf, nextLink, parametersOf, petQueryOf } from './list-query.js'

/** POST /pets */
export const createPetEndpoint =
  (addPet: AddPet): BodyEndpoint =>
  (request, { lineage }) => {
    const sentKey = idempotencyKeyOf(request)
    if (E.isLeft(sentKey)) return sentKey
    const unsupported = mediaTypeFailure(request)
    if (unsupported !== undefined) return E.left(unsupported)
    const unmet = createConditionFailure(request)
    if (unmet !== undefined) return E.left(unmet)
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

/** GET /pets/{petId} */
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

/** GET /pets */
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
