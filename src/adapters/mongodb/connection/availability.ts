// Reports when the database becomes unavailable and when it returns, once each.
import type { MongoClient, ServerDescription, TopologyDescriptionChangedEvent } from 'mongodb'
import type { Notify } from '../../../ports/notice.js'

/** Milliseconds without a writable server before an outage is reported. A single broken connection does not count. */
const LOST_AFTER_MS = 1_000

export interface Availability {
  /** The client is open: watches the driver's monitor from now on. */
  readonly opened: () => void
  /** An attempt to open the database failed. */
  readonly failed: (cause: unknown) => void
  /** The end of an error message: why the latest heartbeat failed, which the driver itself reports only once it gives up. */
  readonly whyNoReply: () => string
}

const reasonOf = (servers: readonly ServerDescription[]): string =>
  servers.find(({ error }) => error !== null)?.error?.message ?? 'no server accepts writes'

/** Reports nothing once `closing` is aborted. */
export const watchAvailability = (client: MongoClient, notify: Notify, closing: AbortSignal): Availability => {
  const server = client.options.srvHost ?? client.options.hosts.join()
  let reported: 'nothing' | 'available' | 'unavailable' = 'nothing'
  let loss: NodeJS.Timeout | undefined
  let heartbeatFailure = ''

  const report: Notify = (notice) => {
    if (!closing.aborted) notify(notice)
  }

  const reportAvailable = (): void => {
    clearTimeout(loss)
    loss = undefined
    if (reported === 'available') return
    reported = 'available'
    report({ level: 'info', message: 'connected to the database', details: { server } })
  }

  const reportUnavailable = (reason: string): void => {
    if (reported === 'unavailable') return
    const message = reported === 'available' ? 'lost the database' : 'cannot open the database'
    reported = 'unavailable'
    report({ level: 'error', message, details: { server, reason } })
  }

  const look = ({ newDescription }: TopologyDescriptionChangedEvent): void => {
    const servers = [...newDescription.servers.values()]
    if (servers.some(({ isWritable }) => isWritable)) reportAvailable()
    else loss ??= setTimeout(() => reportUnavailable(reasonOf(servers)), LOST_AFTER_MS).unref()
  }

  client.on('serverHeartbeatFailed', ({ failure }) => {
    heartbeatFailure = `: ${failure.message}`
  })
  client.on('serverHeartbeatSucceeded', () => {
    heartbeatFailure = ''
  })

  return {
    opened: () => {
      reportAvailable()
      client.on('topologyDescriptionChanged', look)
    },
    failed: (cause) => reportUnavailable(String(cause)),
    whyNoReply: () => heartbeatFailure,
  }
}
