// Whether the process lives, and whether it can serve: for balancers and orchestrators.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { errorReply } from '../error-reply.js'
import { type Endpoint, jsonReply } from '../messages/reply.js'

const OK = jsonReply(200, '{"status":"ok"}')

/** GET /health/live: 200 while the process can answer. */
export const live: Endpoint = async () => OK

/** GET /health/ready: 200 only while the store answers and no stop has begun. */
export const ready =
  (ping: TaskEither<Unavailable, void>, isStopping: () => boolean): Endpoint =>
  async (request) => {
    if (isStopping()) return errorReply(unavailable(new Error('the service is stopping')), request.id)
    const outcome = await ping()
    return E.isLeft(outcome) ? errorReply(outcome.left, request.id) : OK
  }
