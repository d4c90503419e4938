// The settings of a whole service. Those of the command line come from the environment; see src/config.
import type { ServerSettings } from '../adapters/http/server/make-server.js'
import type { StopSettings } from '../adapters/http/server/stop-server.js'
import type { AppSettings } from '../adapters/http/settings.js'
import { DEFAULT_SETTINGS } from './http/make-service.js'

export interface ServiceSettings
  extends Omit<AppSettings, 'stopping' | 'observer' | 'notify' | 'parseNewPet'>,
    Omit<ServerSettings, 'observer' | 'publicUrl'>,
    StopSettings {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly metricsHost: string
  /** Undefined: metrics are not served. */
  readonly metricsPort: number | undefined
}

/** The defaults of the command line. */
export const DEFAULT_SERVICE: ServiceSettings = {
  ...DEFAULT_SETTINGS,
  host: '127.0.0.1',
  port: 8080,
  metricsHost: '127.0.0.1',
  metricsPort: undefined,
  requestTimeoutMs: 10_000,
  drainMs: 500,
  shutdownMs: 10_000,
}
