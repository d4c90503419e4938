// One connection to the broker that comes back for ever, also if the broker was never there.
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

/** Milliseconds between two tries to connect, and how much of it is left to chance. */
const RETRY_AFTER = { least: 250, spread: 500 }
/** Milliseconds for a connection to stand, and between pings: a broker that hangs is given up after the second. */
const CONNECT_TIMEOUT = 3_000
const PING_INTERVAL = 5_000
const PINGS_UNANSWERED = 2

export interface NatsLink {
  /** The connection, while there is one. */
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
      // read at each try, so that renewed credentials need no restart
      return { authenticator: credsAuthenticator(await readFile(credentials.path)) }
  }
}

/** The client tells Node no host that is an IP address: told none, Node wants a certificate for localhost. */
const secured = ({ server }: NatsAddress): TlsOptions & Pick<ConnectionOptions, 'host'> => ({
  host: new URL(`tls://${server}`).hostname.replaceAll(/[[\]]/g, ''),
})

/**
 * Opens the link without waiting for it; `prepare` is run on each new connection before it is used. The client's own
 * reconnecting is off: while away it would hoard what is published, and it gives up on refused credentials.
 */
export const openNatsLink = (
  address: NatsAddress,
  prepare: (connection: NatsConnection) => Promise<void>,
  notify: Notify,
): NatsLink => {
  const stopping = new AbortController()
  const { server } = address
  let live: NatsConnection | undefined
  let isFailureKnown = false

  const holdOne = async (): Promise<void> => {
    const connection = await connect({
      servers: server,
      name: 'animal-store',
      reconnect: false,
      timeout: CONNECT_TIMEOUT,
      pingInterval: PING_INTERVAL,
      maxPingOut: PINGS_UNANSWERED,
      // else each publication prepares two stack traces: a quarter of its cost
      noAsyncTraces: true,
      ...(address.isTls ? { tls: secured(address) } : {}),
      ...(await authentication(address)),
    })
    const closed = connection.closed()
    await prepare(connection)
    live = connection
    isFailureKnown = false
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

  const noteFailure = (error: unknown): void => {
    if (isFailureKnown) return
    isFailureKnown = true
    notify({ level: 'warn', message: 'cannot reach the event broker', details: { server, reason: String(error) } })
  }

  const keep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await holdOne().catch(noteFailure)
      const delay = RETRY_AFTER.least + Math.random() * RETRY_AFTER.spread
      await pause(delay, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const kept = keep()
  return {
    current: () => O.fromNullable(live),
    close: async () => {
      stopping.abort()
      await live?.close()
      await kept
    },
  }
}
