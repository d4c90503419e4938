// Turns the driver's events about commands, connections and servers into measurements and outage notices.
import * as R from 'fp-ts/lib/Record.js'
import {
  type CommandFailedEvent,
  type CommandSucceededEvent,
  type MongoClient,
  MongoMissingDependencyError,
  MongoServerError,
  type ServerDescription,
} from 'mongodb'
import { asError } from '../../../domain/thrown.js'
import type { Notify } from '../../../ports/notice.js'
import type { PoolLevels, StoreObserver } from '../../../ports/observer.js'

/** The clients of a store, each with its own pool. */
export type PoolName = 'requests' | 'counts' | 'maintenance'

/** The commands of a store, as the driver names them. */
const COMMANDS = 'find getMore insert update delete findAndModify aggregate ping hello createIndexes'.split(' ')

/** Times commands by itself, because the driver's events have whole milliseconds only. */
const timeCommands = (client: MongoClient, { command }: StoreObserver): void => {
  const startedAt = new Map<number, number>()
  const end = ({ requestId, commandName }: CommandSucceededEvent | CommandFailedEvent, hasFailed: boolean): void => {
    const start = startedAt.get(requestId)
    startedAt.delete(requestId)
    if (start !== undefined) command(commandName, performance.now() - start, hasFailed)
  }
  client.on('commandStarted', ({ requestId }) => startedAt.set(requestId, performance.now()))
  client.on('commandSucceeded', (event) => end(event, false))
  client.on('commandFailed', (event) => end(event, true))
}

/** Counts the events of a pool (MongoDB specification "Connection Monitoring and Pooling"). */
const countConnections = (client: MongoClient, pool: string): (() => PoolLevels) => {
  const count = {
    connectionCreated: 0,
    connectionClosed: 0,
    connectionCheckOutStarted: 0,
    connectionCheckOutFailed: 0,
    connectionCheckedOut: 0,
    connectionCheckedIn: 0,
  }
  for (const event of R.keys(count)) {
    client.on(event, () => {
      count[event] += 1
    })
  }
  return () => {
    const inUse = count.connectionCheckedOut - count.connectionCheckedIn
    const idle = count.connectionCreated - count.connectionClosed - inUse
    const ended = count.connectionCheckOutFailed + count.connectionCheckedOut
    return { pool, inUse, idle, waiting: count.connectionCheckOutStarted - ended }
  }
}

const takesWrites = (servers: readonly ServerDescription[]): boolean => servers.some(({ isWritable }) => isWritable)

/** Call this before the clients connect. The client for requests, always connected, tells if writes are possible. */
export const measureClients = (
  observer: StoreObserver,
  databases: Readonly<Record<PoolName, { readonly client: MongoClient }>>,
): void => {
  let isWritable = false
  databases.requests.client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    isWritable = takesWrites([...servers.values()])
  })
  for (const { client } of Object.values(databases)) timeCommands(client, observer)
  const pools = Object.entries(databases).map(([pool, { client }]) => countConnections(client, pool))
  observer.watch(COMMANDS, () => ({ _tag: 'Pools', pools: pools.map((read) => read()), isWritable }))
}

/** Milliseconds without a writable server before an outage is reported. A single broken connection does not count. */
const LOST_AFTER_MS = 1_000

const LACKS_PACKAGE = 'MONGODB_URI has an option that needs a package which is not installed'

const serverOf = ({ options: { srvHost, hosts } }: MongoClient): string => srvHost ?? hosts.join()

/** Why none of these servers accepts writes. The driver drops those of another replica set without giving a reason. */
export const whyNotWritable = (client: MongoClient, servers: readonly ServerDescription[]): string => {
  const { replicaSet } = client.options
  const failure = servers.find(({ error }) => error !== null)?.error?.message
  const role = replicaSet ? ` as the primary of the replica set ${JSON.stringify(replicaSet)}` : ''
  return failure ?? `no server at ${serverOf(client)} accepts writes${role}`
}

/** Reports when the database becomes unavailable and when it returns, once each; nothing once `closing` is aborted. */
export const watchAvailability = (client: MongoClient, notify: Notify, closing: AbortSignal) => {
  const server = serverOf(client)
  let wasAvailable: boolean | undefined
  let loss: NodeJS.Timeout | undefined
  let servers: readonly ServerDescription[] = []
  let isOpen = false
  const failures = new Set<string>()

  const report = (isAvailable: boolean, reason?: string): void => {
    clearTimeout(loss)
    loss = undefined
    if (wasAvailable === isAvailable) return
    const missing = wasAvailable ? 'lost the database' : 'cannot open the database'
    wasAvailable = isAvailable
    const message = isAvailable ? 'connected to the database' : missing
    const details = { server, ...(reason !== undefined && { reason }) }
    if (!closing.aborted) notify({ level: isAvailable ? 'info' : 'error', message, details })
  }

  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    servers = [...newDescription.servers.values()]
    if (!isOpen) return
    if (takesWrites(servers)) report(true)
    else loss ??= setTimeout(() => report(false, whyNotWritable(client, servers)), LOST_AFTER_MS).unref()
  })

  return {
    /** Call this when the client has opened; from then on, the driver's monitor is watched. */
    opened: () => {
      isOpen = true
      report(true)
    },
    /** Call this when opening failed. Reports each kind of failure once, because texts may differ each time. */
    failed: (cause: unknown) => {
      const kind = cause instanceof MongoServerError ? `${cause.name} ${cause.code}` : asError(cause).name
      const isNew = !failures.has(kind)
      failures.add(kind)
      if (isNew) wasAvailable = undefined
      if (!(cause instanceof MongoMissingDependencyError)) report(false, String(cause))
      else if (isNew) notify({ level: 'fatal', message: LACKS_PACKAGE, details: { server, reason: cause.message } })
    },
    /** A suffix for error messages: why no server accepts writes. The driver itself says so only when it gives up. */
    whyNoReply: () => (takesWrites(servers) ? '' : `: ${whyNotWritable(client, servers)}`),
  }
}
