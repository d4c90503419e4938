// What the metrics of a service are told, and the parts of it that each scrape reads.

import type { Ports } from '../../ports/index.js'
import type { RequestReport } from '../../ports/observer.js'

export type MeasuredRequest = Pick<
  RequestReport,
  'route' | 'method' | 'status' | 'code' | 'milliseconds' | 'isDeprecated' | 'keyId' | 'detail' | 'events'
>

/** The ports of a relay that are measured. */
export type MeasuredPorts = Pick<Ports, 'relay' | 'publisher' | 'clock'>

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
  readonly relay?: () => RelayLevels
  readonly server?: () => {
    readonly inFlight: number
    readonly connections: number
    /** Connections closed at once since the start. */
    readonly refusedConnections: number
  }
}
