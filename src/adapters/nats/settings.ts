// Apart from what uses the driver: its declarations do not compile under every option that our users may have.
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../domain/errors.js'
import type { CloudEventSettings } from '../../domain/events/cloud-event.js'

/** At most one of `login` and `credentialsFile`. */
export interface NatsAddress {
  /** `host:port` each. The driver learns the other servers of their cluster. */
  readonly servers: readonly string[]
  readonly isTls: boolean
  readonly login?: { readonly user: string; readonly pass: string } | { readonly token: string }
  readonly credentialsFile?: string
}

export interface NatsPublisherSettings extends CloudEventSettings {
  /** Whether any process has sent events before. If so, a missing stream was lost. */
  readonly hasSent: TaskEither<Unavailable, boolean>
}
