// Liveness and readiness probes, for load balancers and orchestrators.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../../domain/errors.js'
import { jsonReply } from '../messages/message.js'
import type { PublicEndpoint } from '../route.js'

const OK = E.right(jsonReply(200, '{"status":"ok"}'))

/** GET /health/live: 200 while the process can respond. */
export const liveEndpoint: PublicEndpoint = async () => OK

/** GET /health/ready: 200 only while the store responds and no stop has begun. */
export const readyEndpoint =
  (ping: TaskEither<Unavailable, void>, stopping: AbortSignal): PublicEndpoint =>
  async () => {
    if (stopping.aborted) return E.left({ _tag: 'Stopping' })
    const pinged = await ping()
    return E.isLeft(pinged) ? pinged : OK
  }
