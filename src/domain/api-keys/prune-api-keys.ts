// Removes API keys that ended long ago: a store keeps ended keys, so that a refused request can be explained.
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import { DurationMs } from '../codecs/instant.js'
import { inputFaults } from '../codecs/struct.js'
import type { Unavailable, ValidationFailed } from '../errors.js'

export interface PruneApiKeysInput {
  /** Milliseconds since the revocation or the expiry. */
  readonly olderThanMs: DurationMs
}

const faultsIn = inputFaults<PruneApiKeysInput>({ olderThanMs: DurationMs })

export type PruneApiKeys = (input: PruneApiKeysInput) => TE.TaskEither<ValidationFailed | Unavailable, number>

/** Removes the keys that were revoked or expired longer ago than that, and returns how many. */
export const pruneApiKeys =
  ({ apiKeys, clock }: Pick<Ports, 'apiKeys' | 'clock'>): PruneApiKeys =>
  ({ olderThanMs }) => {
    const faults = faultsIn({ olderThanMs })
    return faults.length > 0
      ? TE.left({ _tag: 'ValidationFailed', faults })
      : TE.flatMap((now: number) => apiKeys.removeEnded(now - olderThanMs))(TE.fromIO(clock.now))
  }
