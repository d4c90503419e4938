// GET /store/orders: named by the contract, but no operation creates an order, so there is none to list.
import * as E from 'fp-ts/lib/Either.js'
import { errorReply } from '../error-reply.js'
import { limitOf } from '../messages/list-parameters.js'
import { jsonReply } from '../messages/reply.js'
import type { SecuredEndpoint } from '../secured.js'

export const listOrders: SecuredEndpoint = async (request) => {
  const limit = limitOf(new URLSearchParams(request.query))
  return E.isLeft(limit) ? errorReply(limit.left, request.id) : jsonReply(200, '[]')
}
