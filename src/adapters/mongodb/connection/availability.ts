// Tells once that the database is away and once that it is there, by the attempts to open it and then by the driver's monitor.
import type { MongoClient, ServerDescription, TopologyDescriptionChangedEvent } from 'mongodb'
import type { Notify } from '../../../ports/notice.js'

/** Milliseconds without a server that takes writes after which the database is lost: a connection that breaks is no loss. */
const LOST_AFTER = 1_000

export interface Availability {
  /** The client has opened: from now on its monitor is asked. */
  readonly opened: () => void
  /** An attempt to open has failed. */
  readonly failed: (cause: unknown) => void
}

const reasonOf = (servers: readonly ServerDescription[]): string =>
  servers.find(({ error }) => error !== null)?.error?.message ?? 'no server takes writes'

/** Tells nothing any more once `closing` is aborted. */
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
    else loss ??= setTimeout(() => tellAway(reasonOf(servers)), LOST_AFTER).unref()
  }

  return {
    opened: () => {
      tellThere()
      client.on('topologyDescriptionChanged', look)
    },
    failed: (cause) => tellAway(String(cause)),
  }
}
