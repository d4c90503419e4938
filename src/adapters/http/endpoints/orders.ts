// GET /store/orders: named by the contract, but no operation creates an order, so there are none to list.

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { jsonReply } from '../messages/reply.js'
import { limitOf, parametersOf } from '../paging/list-parameters.js'
import type { Endpoint } from './endpoint.js'

export const listOrdersEndpoint: Endpoint = async (request) =>
  pipe(
    limitOf(parametersOf(request)),
    E.map(() => jsonReply(200, '[]')),
  )
