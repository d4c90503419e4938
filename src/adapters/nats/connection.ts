// One connection to a broker of one or more servers. Once opened, the driver reconnects to any server that responds.
import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import {
  connect,
  credsAuthenticator,
  errors,
  type NatsConnection,
  type NodeConnectionOptions,
  setTransportFactory,
} from '@nats-io/transport-node'
import * as O from 'fp-ts/lib/Option.js'
import { visible } from '../../domain/visible.js'
import type { Notify } from '../../ports/notice.js'
import type { NatsAddress } from './address.js'
import { makeLimitedTransport } from './limited-transport.js'

/** docs/events.md has the same table. */
export const CONNECTION_NOTICES = {
  connected: { level: 'info', message: 'connected to the event broker' },
  lost: { level: 'warn', message: 'lost the event broker' },
  unreachable: { level: 'warn', message: 'cannot reach the event broker' },
} as const

/** A broker chooses what its errors say. */
const MAX_REASON_LENGTH = 1_000

const OPTIONS = {
  name: 'animal-store',
  maxReconnectAttempts: -1,
  ignoreAuthErrorAbort: true,
  // pause between attempts to reach the same server
  reconnectTimeWait: 250,
  reconnectJitter: 500,
  reconnectJitterTLS: 500,
  timeout: 3_000,
  // a server is lost if it does not answer two pings
  pingInterval: 5_000,
  maxPingOut: 2,
  // otherwise each publication captures two stack traces, 25 % of its cost (measured)
  noAsyncTraces: true,
} satisfies NodeConnectionOptions

/** The driver has one factory per process, which other connections of the program use, too: it gets its own back. */
const limitNextTransport = (onFlood: (error: Error) => void): void =>
  setTransportFactory({
    factory: () => {
      // sets the driver's factory, then fails because of the options
      void connect({ servers: 'none', port: 1 }).catch(() => {})
      return makeLimitedTransport(onFlood)
    },
    dnsResolveFn: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  })

/** Opens the link in the background. On each open, `prepare` runs before `current` returns it; it must not reject. */
export const openNatsLink = (
  { servers, isTls, login, credentialsFile }: NatsAddress,
  prepare: (connection: NatsConnection) => Promise<void>,
  notify: Notify,
) => {
  const waits = new Set<() => void>()
  let live: NatsConnection | undefined
  let losses = 0
  let isFailureReported = false
  let isClosing = false

  const reportFailure = (error: unknown): void => {
    if (isFailureReported || isClosing) return
    isFailureReported = true
    const details = { servers: servers.join(), reason: visible(String(error).slice(0, MAX_REASON_LENGTH)) }
    notify({ ...CONNECTION_NOTICES.unreachable, details })
  }

  /**
   * Reads the file for each attempt, so that renewed credentials need no restart. Never throws, because the driver
   * would give up; never sends none, because a server with `no_auth_user` would put events into another account.
   */
  const authenticate = (path: string, nonce?: string) => {
    try {
      return credsAuthenticator(readFileSync(path))(nonce)
    } catch (error) {
      reportFailure(error)
      return { auth_token: 'unreadable' }
    }
  }

  const options: NodeConnectionOptions = {
    ...OPTIONS,
    ...login,
    ...(credentialsFile !== undefined && { authenticator: (nonce) => authenticate(credentialsFile, nonce) }),
    ...(isTls && { tls: {} }),
    servers: [...servers],
    reconnectToServer: () => {
      // nothing else ends the driver's attempts to connect for the first time
      if (isClosing) throw new Error('closing')
      limitNextTransport(reportFailure)
      return null
    },
  }

  /** The driver says why servers cannot be reached only if it does not wait for them; it then drops those that fail. */
  const open = async (): Promise<NatsConnection> => {
    try {
      const connection = await connect(options)
      const known = connection.getServers().map(({ listen }) => listen)
      if (!servers.every((server) => known.includes(server)))
        connection.setServers([...new Set([...known, ...servers])])
      return connection
    } catch (error) {
      reportFailure(error)
      return connect({ ...options, waitOnFirstConnect: true })
    }
  }

  const onOpen = async (connection: NatsConnection): Promise<void> => {
    const before = losses
    await prepare(connection)
    if (losses !== before || isClosing) return
    live = connection
    isFailureReported = false
    notify({ ...CONNECTION_NOTICES.connected, details: { server: connection.getServer() } })
  }

  const onLost = (server: string): void => {
    losses += 1
    for (const end of waits) end()
    if (live !== undefined) notify({ ...CONNECTION_NOTICES.lost, details: { server } })
    live = undefined
  }

  const follow = async (connection: NatsConnection): Promise<void> => {
    void onOpen(connection)
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') onLost(status.server)
      else if (status.type === 'reconnect') void onOpen(connection)
      else if (status.type === 'error' && status.error instanceof errors.AuthorizationError) reportFailure(status.error)
    }
  }

  const opening = open()
  const ended = opening.then(follow).catch(reportFailure)
  const close = async (): Promise<void> => {
    isClosing = true
    live = undefined
    await opening.then(
      (connection) => connection.close(),
      () => {},
    )
    await ended
  }

  /** Waits for replies, or until the connection is lost; the driver would wait until their time limit. */
  const untilLost = (replies: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        waits.delete(end)
        resolve()
      }
      waits.add(end)
      void replies.then(end)
    })

  return {
    /** The connection, only while it is open: otherwise the driver buffers or drops events, depending on timing. */
    current: () => O.fromNullable(live),
    untilLost,
    close,
  }
}
