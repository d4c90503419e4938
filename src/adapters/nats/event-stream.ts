// Finds or creates the stream that stores the events.

import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { errors, type NatsConnection, nanos } from '@nats-io/transport-node'
import * as E from 'fp-ts/lib/Either.js'
import { cloudEventTypes } from '../../domain/events/cloud-event.js'
import { memberOf } from '../../domain/thrown.js'
import type { Notify } from '../../ports/notice.js'
import type { NatsPublisherSettings } from './settings.js'

/** docs/events.md has the same table. */
export const STREAM_NOTICES = {
  unanswered: { level: 'warn', message: 'the event stream cannot be looked up' },
  refused: { level: 'error', message: 'the event stream cannot be found or created' },
  created: { level: 'info', message: 'the event stream has been created' },
  recreated: { level: 'error', message: 'the event stream was gone and has been created again: replay its events' },
} as const

const REQUEST_TIMEOUT_MS = 2_000
/** JetStream's error code of a cluster without a leader. */
const CLUSTER_NOT_AVAILABLE = 10_008
/** JetStream needs three servers to survive the loss of one. */
const REPLICAS_IN_A_CLUSTER = 3
const MAX_AGE_MS = 7 * 86_400_000
const DUPLICATE_WINDOW_MS = 120_000

/** A full stream refuses new events, which then wait in the log, instead of dropping ones that consumers may need. */
const LIMITS = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  max_age: nanos(MAX_AGE_MS),
  max_bytes: -1,
  max_msgs: -1,
  duplicate_window: nanos(DUPLICATE_WINDOW_MS),
}

/** Whether nobody listened. The driver then reports that JetStream is not enabled, even if only a stream is missing. */
export const isUnheard = (error: unknown): boolean =>
  [error, memberOf(error, 'cause')].some((one) => one instanceof errors.RequestError && one.isNoResponders())

/** A cluster without a leader does not reply, or replies that it is not available. */
const isElecting = (error: unknown): boolean =>
  error instanceof errors.TimeoutError || (error instanceof JetStreamApiError && error.code === CLUSTER_NOT_AVAILABLE)

/** The name of a stream that we create, escaped so that deployments with different prefixes can share a broker. */
export const streamName = (typePrefix: string): string => typePrefix.replaceAll('_', '__').replaceAll('.', '_')

/** `org.example.pet.>` for `org.example.pet.created.v1`, so that the stream also accepts future types of pet events. */
const streamSubjects = (types: readonly string[]): string[] => [
  ...new Set(types.map((type) => type.split('.').slice(0, -2).concat('>').join('.'))),
]

/** Finds a stream per type of event, or creates one for all. Concurrent callers share one look-up. Never rejects. */
export const makeEnsureStream = ({ typePrefix, hasSent }: NatsPublisherSettings, notify: Notify) => {
  const types = cloudEventTypes({ typePrefix })
  const name = streamName(typePrefix)
  const subjects = streamSubjects(types)
  const details = { stream: name, subjects: subjects.join(' ') }
  let inFlight: Promise<void> | undefined
  let wasSeen = false
  let lastReason = ''

  const hasStreams = async ({ streams }: JetStreamManager): Promise<boolean> => {
    for (const type of types) if ((await streams.names(type).next()).length === 0) return false
    return true
  }

  /** Throws if the store does not respond: creating a stream would hide the loss of an earlier one. */
  const make = async ({ streams }: JetStreamManager, num_replicas: number): Promise<void> => {
    const isLost = wasSeen ? E.right(true) : await hasSent()
    if (E.isLeft(isLost))
      throw new Error('the store cannot tell whether the stream existed before', { cause: isLost.left.cause })
    await streams.add({ ...LIMITS, name, subjects, num_replicas })
    notify({ ...STREAM_NOTICES[isLost.right ? 'recreated' : 'created'], details })
  }

  const ensure = async (connection: NatsConnection): Promise<void> => {
    try {
      const manager = await jetstreamManager(connection, { timeout: REQUEST_TIMEOUT_MS, checkAPI: false })
      const replicas = connection.info?.cluster === undefined ? 1 : REPLICAS_IN_A_CLUSTER
      if (!(await hasStreams(manager))) await make(manager, replicas)
      wasSeen = true
      lastReason = ''
    } catch (error) {
      if (connection.isClosed()) return
      const isWaiting = isUnheard(error) || isElecting(error)
      // a refusal names the inbox of the request, which differs each time
      const text = String(error).replaceAll(/_INBOX\.[\w.*]+/g, '_INBOX')
      const reason = isUnheard(error) ? 'no server with JetStream listens' : text
      const notice = STREAM_NOTICES[isWaiting ? 'unanswered' : 'refused']
      if (reason !== lastReason) notify({ ...notice, details: { ...details, reason } })
      lastReason = reason
    }
  }

  return (connection: NatsConnection): Promise<void> => {
    inFlight ??= ensure(connection).finally(() => {
      inFlight = undefined
    })
    return inFlight
  }
}
