// One connection to the broker, reopened whenever it is lost, even if the broker was never reachable.
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConnectionOptions } from 'node:tls'
import {
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  type TlsOptions,
} from '@nats-io/transport-node'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { Notify } from '../../ports/notice.js'
import type { NatsAddress } from './address.js'

/** Delay between two attempts to connect, plus a random time up to the jitter. */
const RETRY_DELAY_MS = 250
const RETRY_JITTER_MS = 500
const CONNECT_TIMEOUT_MS = 3_000
/** A broker that leaves this many pings unanswered is considered lost. */
const PING_INTERVAL_MS = 5_000
const MAX_UNANSWERED_PINGS = 2

export interface NatsLink {
  /** The open connection, if any. */
  readonly current: () => O.Option<NatsConnection>
  readonly close: Task<void>
}

const authentication = async ({ credentials }: NatsAddress): Promise<NodeConnectionOptions> => {
  switch (credentials._tag) {
    case 'None':
      return {}
    case 'User':
      return { user: credentials.user, pass: credentials.pass }
    case 'Token':
      return { token: credentials.token }
    case 'File':
      // read again for each attempt, so that renewed credentials need no restart
      return { authenticator: credsAuthenticator(await readFile(credentials.path)) }
  }
}

/** The client passes no host to Node if it is an IP address, and without one Node expects a certificate for localhost. */
const tlsOptions = ({ server }: NatsAddress): TlsOptions & Pick<ConnectionOptions, 'host'> => ({
  host: new URL(`tls://${server}`).hostname.replaceAll(/[[\]]/g, ''),
})

/**
 * Opens the link without waiting for it, and runs `prepare` on each new connection before it is used. The client's own
 * reconnecting is off, because it buffers publications during an outage and gives up when credentials are refused.
 */
export const openNatsLink = (
  address: NatsAddress,
  prepare: (connection: NatsConnection) => Promise<void>,
  notify: Notify,
): NatsLink => {
  const stopping = new AbortController()
  const { server } = address
  let live: NatsConnection | undefined
  let isFailureReported = false

  const holdConnection = async (): Promise<void> => {
    const connection = await connect({
      servers: server,
      name: 'animal-store',
      reconnect: false,
      timeout: CONNECT_TIMEOUT_MS,
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: MAX_UNANSWERED_PINGS,
      // without this, each publication captures two stack traces: a quarter of its cost (measured)
      noAsyncTraces: true,
      ...(address.isTls ? { tls: tlsOptions(address) } : {}),
      ...(await authentication(address)),
    })
    const closed = connection.closed()
    await prepare(connection)
    live = connection
    isFailureReported = false
    notify({ level: 'info', message: 'connected to the event broker', details: { server } })
    if (stopping.signal.aborted) await connection.close()
    const reason = await closed
    live = undefined
    if (!stopping.signal.aborted) {
      notify({
        level: 'warn',
        message: 'lost the event broker',
        details: { server, reason: String(reason ?? 'closed') },
      })
    }
  }

  const reportFailure = (error: unknown): void => {
    if (isFailureReported) return
    isFailureReported = true
    notify({ level: 'warn', message: 'cannot reach the event broker', details: { server, reason: String(error) } })
  }

  const keepConnected = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await holdConnection().catch(reportFailure)
      const delayMs = RETRY_DELAY_MS + Math.random() * RETRY_JITTER_MS
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const stopped = keepConnected()
  return {
    current: () => O.fromNullable(live),
    close: async () => {
      stopping.abort()
      await live?.close()
      await stopped
    },
  }
}
