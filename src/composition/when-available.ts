// Retries a call until the store responds.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { defectAsUnavailable } from '../adapters/relay/waiting.js'
import type { Unavailable } from '../domain/errors.js'

/** Pause between attempts. */
const RETRY_MS = 1_000

/** Resolves to undefined if the service stops first. The call must be safe to repeat. */
export const whenAvailable = async <A>(
  call: TaskEither<Unavailable, A>,
  stopping: AbortSignal,
): Promise<A | undefined> => {
  while (!stopping.aborted) {
    const found = await defectAsUnavailable(call)
    if (E.isRight(found)) return found.right
    // rejects only when aborted
    await pause(RETRY_MS, undefined, { signal: stopping, ref: false }).catch(() => {})
  }
  return undefined
}
