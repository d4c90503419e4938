// The stream that keeps the events: found by its subject, or made.
import { DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import type { Notify } from '../../ports/notice.js'

const DAY = 86_400_000
const TIMEOUT = 2_000

/**
 * Limits of a stream that we make. It has no bound but age and the server's own: a full stream refuses new
 * events, which then wait in the outbox, rather than drop old ones that a consumer has not seen.
 */
const LIMITS = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  max_age: nanos(7 * DAY),
  max_bytes: -1,
  max_msgs: -1,
  duplicate_window: nanos(120_000),
}

export type EnsureStream = (connection: NatsConnection) => Promise<void>

/** The name of a stream that we make: a type prefix as far as it may stand in one. */
const streamName = (typePrefix: string): string => typePrefix.replaceAll(/[^\w-]/g, '_')

/** Sees to it that a stream takes the subject, whatever its name and limits; many callers at once share one look. Never rejects. */
export const makeEnsureStream = (subject: string, typePrefix: string, notify: Notify): EnsureStream => {
  const name = streamName(typePrefix)
  const subjects = `${typePrefix}.pet.>`
  let underWay: Promise<void> | undefined
  let hadBeenThere = false
  let trouble = ''

  const ensure = async (connection: NatsConnection): Promise<void> => {
    try {
      const manager = await jetstreamManager(connection, { timeout: TIMEOUT, checkAPI: false })
      if ((await manager.streams.names(subject).next()).length === 0) {
        await manager.streams.add({ ...LIMITS, name, subjects: [subjects] })
        const details = { stream: name, subjects }
        notify(
          hadBeenThere
            ? { level: 'error', message: 'the event stream was gone and is made anew: replay what it held', details }
            : { level: 'info', message: 'the event stream is made', details },
        )
      }
      hadBeenThere = true
      trouble = ''
    } catch (error) {
      const reason = String(error)
      const message = 'the event stream cannot be looked at or made'
      if (reason !== trouble) notify({ level: 'error', message, details: { subject, reason } })
      trouble = reason
    }
  }

  return (connection) => {
    underWay ??= ensure(connection).finally(() => {
      underWay = undefined
    })
    return underWay
  }
}
