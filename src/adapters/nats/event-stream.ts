// The stream that keeps the events: found by its subject, or made.
import {
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import type { CloudEventSettings } from '../../domain/cloud-event.js'
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

/** The name of a stream that we make: the type prefix, as far as its characters are allowed there. */
const streamName = (typePrefix: string): string => typePrefix.replaceAll(/[^\w-]/g, '_')

/** `org.example.pet.>` for `org.example.pet.created.v1`: room for later events of the same kind of thing. */
const streamSubjects = (types: readonly string[]): readonly string[] => [
  ...new Set(types.map((type) => type.split('.').slice(0, -2).concat('>').join('.'))),
]

/**
 * Finds a stream for each type of event, whatever the stream's name and limits, or makes one for all of them.
 * Concurrent callers share one look-up. Never rejects.
 */
export const makeEnsureStream = (
  types: readonly string[],
  { typePrefix }: Pick<CloudEventSettings, 'typePrefix'>,
  notify: Notify,
): EnsureStream => {
  const name = streamName(typePrefix)
  const subjects = streamSubjects(types)
  let underWay: Promise<void> | undefined
  let hadBeenThere = false
  let trouble = ''

  const hasStreams = async ({ streams }: JetStreamManager): Promise<boolean> => {
    for (const type of types) if ((await streams.names(type).next()).length === 0) return false
    return true
  }

  const ensure = async (connection: NatsConnection): Promise<void> => {
    try {
      const manager = await jetstreamManager(connection, { timeout: TIMEOUT, checkAPI: false })
      if (!(await hasStreams(manager))) {
        await manager.streams.add({ ...LIMITS, name, subjects: [...subjects] })
        const details = { stream: name, subjects: subjects.join(' ') }
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
      if (reason !== trouble) notify({ level: 'error', message, details: { subjects: subjects.join(' '), reason } })
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
