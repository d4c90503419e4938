// Reports when the database becomes unavailable and when it returns, once each.
import type { MongoClient, ServerDescription, TopologyDescriptionChangedEvent } from 'mongodb'
import type { Notify } from '../../../ports/notice.js'

/** How long there must be no writable server before we report an outage, in milliseconds. A broken connection is not one. */
const LOST_AFTER_MS = 1_000

export interface Availability {
  /** The client is open: from now on the driver's monitor is watched. */
  readonly opened: () => void
  /** An attempt to open failed. */
  readonly failed: (cause: unknown) => void
}

const reasonOf = (servers: readonly ServerDescription[]): string =>
  servers.find(({ error }) => error !== null)?.error?.message ?? 'no server takes writes'

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
