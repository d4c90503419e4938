// The three operations of the contract: request → use case → reply.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { AddPet } from '../../../domain/add-pet.js'
import type { GetPet } from '../../../domain/get-pet.js'
import { int64FromPlainText } from '../../../domain/int64.js'
import type { ListPets, PetList } from '../../../domain/list-pets.js'
import { petJson, petsJson } from '../../../domain/pet-json.js'
import type { PetQuery } from '../../../domain/pet-query.js'
import { conditional } from '../messages/conditional.js'
import { encodeCursor } from '../messages/cursor.js'
import { errorReply } from '../error-reply.js'
import { idempotencyKeyOf } from '../messages/idempotency-key.js'
import { readJsonBody } from '../messages/json-body.js'
import { petQueryOf } from '../messages/list-parameters.js'
import { prefersExactCount } from '../messages/prefer.js'
import { type HeaderFields, jsonReply } from '../messages/reply.js'
import type { HttpRequest } from '../messages/request.js'
import type { SecuredEndpoint } from '../secured.js'

/** POST /pets */
export const createPet =
  (addPet: AddPet): SecuredEndpoint =>
  async (request, caller) => {
    const key = idempotencyKeyOf(request)
    if (E.isLeft(key)) return errorReply(key.left, request.id)
    const body = await readJsonBody(request)
    if (E.isLeft(body)) return errorReply(body.left, request.id)
    const retry = pipe(
      key.right,
      O.map((text) => ({ apiKeyId: caller.keyId, key: text })),
    )
    const outcome = await addPet({ newPet: body.right, retry })()
    if (E.isLeft(outcome)) return errorReply(outcome.left, request.id)
    const { pet, replayed } = outcome.right
    const headers: HeaderFields = [['Location', `${request.baseUrl}/pets/${pet.id}`]]
    return jsonReply(201, petJson(pet), replayed ? [...headers, ['Idempotent-Replayed', 'true']] : headers)
  }

/** GET /pets/{petId} */
export const getOnePet =
  (getPet: GetPet): SecuredEndpoint =>
  async (request) => {
    const id = int64FromPlainText(request.params['petId'] ?? '')
    if (O.isNone(id)) return errorReply({ _tag: 'PetNotFound' }, request.id)
    const outcome = await getPet(id.value)()
    if (E.isLeft(outcome)) return errorReply(outcome.left, request.id)
    return conditional(request, jsonReply(200, petJson(outcome.right)))
  }

/** The address of the page that starts before the id (RFC 8288, relation `next`): the same filter and limit. */
const nextLink = (request: HttpRequest, parameters: URLSearchParams, query: PetQuery, before: bigint): string => {
  const next = new URLSearchParams()
  for (const name of ['limit', 'status', 'id']) {
    for (const value of parameters.getAll(name)) next.append(name, value)
  }
  next.append('cursor', encodeCursor(before, query))
  return `<${request.baseUrl}/pets?${next}>; rel="next"`
}

/** GET /pets */
export const listAllPets =
  (listPets: ListPets): SecuredEndpoint =>
  async (request) => {
    const parameters = new URLSearchParams(request.query)
    const query = petQueryOf(parameters)
    if (E.isLeft(query)) return errorReply(query.left, request.id)
    const outcome = await listPets({ query: query.right, counted: prefersExactCount(request) })()
    if (E.isLeft(outcome)) return errorReply(outcome.left, request.id)
    const { page, total }: PetList = outcome.right
    const headers: [string, string][] = []
    if (O.isSome(page.next)) headers.push(['Link', nextLink(request, parameters, query.right, page.next.value)])
    if (O.isSome(total)) headers.push(['X-Total-Count', String(total.value)], ['Preference-Applied', 'count=exact'])
    return conditional(request, jsonReply(200, petsJson(page.pets), headers))
  }
