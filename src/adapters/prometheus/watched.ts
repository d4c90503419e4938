// What a scrape reads from a service. The types do not use prom-client, which embedders need not install.
import type { Ports } from '../../ports/index.js'

/** The ports that a scrape reads. */
export type StorePorts = Pick<Ports, 'apiKeys' | 'clock'> & Partial<Pick<Ports, 'log' | 'relay'>>

/** The relay of this instance. */
export interface RelayLevels {
  readonly isActive: boolean
  /** Undefined if the publisher needs no connection. */
  readonly isConnected: boolean | undefined
}

/** The parts of the service that each scrape reads, if present. */
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
