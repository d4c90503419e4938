// Separate from code that uses the driver, whose declarations do not compile under every option of our users.
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../domain/errors.js'
import type { CloudEventSettings } from '../../domain/events/cloud-event.js'

export interface NatsPublisherSettings extends CloudEventSettings {
  /** Whether any process has sent events before. If so, a missing stream means that it was lost. */
  readonly hasSent: TaskEither<Unavailable, boolean>
}
