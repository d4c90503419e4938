// What a scrape reads of a service, in types without prom-client, which whoever embeds the service need not have.
import type { Ports } from '../../ports/index.js'

/** The ports that a scrape reads: the position of the relay, and the API keys. */
export type StorePorts = Pick<Ports, 'log' | 'apiKeys' | 'clock'> & Partial<Pick<Ports, 'relay'>>

/** The relay of this instance. */
export interface RelayLevels {
  readonly isActive: boolean
  /** Undefined if the publisher has no connection. */
  readonly isConnected: boolean | undefined
}

/** The parts of the service that each scrape reads, as far as there are any. */
export interface Watched {
  readonly store?: StorePorts
  readonly relay?: () => RelayLevels | undefined
  readonly server?: () => {
    readonly inFlight: number
    readonly connections: number
    /** Connections closed at once since the start. */
    readonly refusedConnections: number
  }
}
