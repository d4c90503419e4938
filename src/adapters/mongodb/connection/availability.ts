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
}

const reasonOf = (servers: readonly ServerDescription[]): string =>
  servers.find(({ error }) => error !== null)?.error?.message ?? 'no server accepts writes'

/** Reports nothing once `closing` is aborted. */
export const watchAvailability = (client: MongoClient, notify: Notify, closing: AbortSignal): Availability => {
  const server = client.options.srvHost ?? client.options.hosts.join()
  let told: 'nothing' | 'there' | 'away' = 'nothing'
  let loss: NodeJS.Timeout | undefined

  const tell: Notify = (notice) => {
    if (!closing.aborted) notify(notice)
  }

  const tellThere = (): void => {
    clearTimeout(loss)
    loss = undefined
    if (told === 'there') return
    told = 'there'
    tell({ level: 'info', message: 'connected to the database', details: { server } })
  }

  const tellAway = (reason: string): void => {
    if (told === 'away') return
    const message = told === 'there' ? 'lost the database' : 'cannot open the database'
    told = 'away'
    tell({ level: 'error', message, details: { server, reason } })
  }

  const look = ({ newDescription }: TopologyDescriptionChangedEvent): void => {
    const servers = [...newDescription.servers.values()]
    if (servers.some(({ isWritable }) => isWritable)) tellThere()
    else loss ??= setTimeout(() => tellAway(reasonOf(servers)), LOST_AFTER_MS).unref()
  }

  return {
    opened: () => {
      tellThere()
      client.on('topologyDescriptionChanged', look)
    },
    failed: (cause) => tellAway(String(cause)),
  }
}
