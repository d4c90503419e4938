// The operations of the interface: request → use case → reply.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { int64FromPlainText } from '../../../domain/codecs/int64.js'
import type { AddPet } from '../../../domain/pets/add-pet.js'
import type { GetPet, ListPets } from '../../../domain/pets/find-pets.js'
import { isMadeFrom, type Pet } from '../../../domain/pets/pet.js'
import type { ParseNewPet } from '../../../domain/pets/pet-json.js'
import { parseNewPetJson, petJson, petsJson } from '../../../domain/pets/pet-json.js'
import type { PetPage } from '../../../domain/pets/pet-query.js'
import { setWithin } from '../../../domain/set-within.js'
import type { Crypto } from '../../../ports/crypto.js'
import { conditional, type TaggedReply, tagged } from '../messages/conditional.js'
import { type HeaderFields, jsonReply } from '../messages/message.js'
import { idempotencyKeyOf, mediaTypeFailure, prefersExactCount, traceParentOf } from '../messages/request-headers.js'
import type { BodyEndpoint, Endpoint } from '../route.js'
import { limitOf, nextLink, parametersOf, petQueryOf } from './list-query.js'

/** POST /pets */
export const createPetEndpoint =
  (addPet: AddPet, parseNewPet: ParseNewPet = parseNewPetJson): BodyEndpoint =>
  (request, { lineage }) => {
    const sentKey = idempotencyKeyOf(request)
    if (E.isLeft(sentKey)) return sentKey
    const unsupported = mediaTypeFailure(request)
    if (unsupported !== undefined) return E.left(unsupported)
    return E.right(async (body) => {
      const newPet = await parseNewPet(body)
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

/** Replies that are kept for pets that are read again: 2 MiB. */
const KEPT_REPLIES = 4_096

/** GET /pets/{petId} */
export const getPetEndpoint = (getPet: GetPet, sha256: Crypto['sha256']): Endpoint => {
  // text and tag take a tenth of a request (measured)
  const kept = new Map<string, { readonly pet: Pet; readonly reply: TaggedReply }>()
  return async (request) => {
    const { petId = '' } = request.params
    const id = int64FromPlainText(petId)
    if (O.isNone(id)) return E.left({ _tag: 'PetNotFound' })
    const found = await getPet(id.value)()
    if (E.isLeft(found)) return found
    const pet = found.right
    const known = kept.get(petId)
    if (known !== undefined && isMadeFrom(known.pet, pet)) return conditional(request, known.reply)
    const reply = tagged(jsonReply(200, petJson(pet)), sha256)
    setWithin(kept, KEPT_REPLIES, petId, { pet, reply })
    return conditional(request, reply)
  }
}

/** GET /pets/{petId} when it is switched off. */
export const removedEndpoint: Endpoint = async () => E.left({ _tag: 'OperationRemoved' })

/** GET /pets */
export const listPetsEndpoint = (listPets: ListPets, sha256: Crypto['sha256']): Endpoint => {
  // stores return the same page until pets are added: its text, tag and link take a fifth of a request (measured)
  const latest = new WeakMap<PetPage, { readonly sent: string; readonly reply: TaggedReply }>()
  return async (request) => {
    const parameters = parametersOf(request)
    const query = petQueryOf(parameters, sha256)
    if (E.isLeft(query)) return query
    const listed = await listPets({ query: query.right, counted: prefersExactCount(request) })()
    if (E.isLeft(listed)) return listed
    const { page, total } = listed.right
    const sent = `${request.baseUrl} ${request.query}`
    const known = O.isNone(total) ? latest.get(page) : undefined
    if (known?.sent === sent) return conditional(request, known.reply)
    const headers: [string, string][] = []
    if (O.isSome(page.next))
      headers.push(['Link', nextLink(request.baseUrl, parameters, query.right, page.next.value, sha256)])
    if (O.isSome(total)) headers.push(['X-Total-Count', String(total.value)], ['Preference-Applied', 'count=exact'])
    const reply = tagged(jsonReply(200, petsJson(page.pets), headers), sha256)
    if (O.isNone(total)) latest.set(page, { sent, reply })
    return conditional(request, reply)
  }
}

/** GET /store/orders: named by the contract, but no operation creates an order, so there are none to list. */
export const listOrdersEndpoint: Endpoint = async (request) =>
  pipe(
    limitOf(parametersOf(request)),
    E.map(() => jsonReply(200, '[]')),
  )
