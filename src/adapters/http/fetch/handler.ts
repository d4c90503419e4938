// A handler of the Fetch standard, and its settings.
import type { AppSettings } from '../settings.js'

/** Ignores what runtimes pass after the request. */
export type FetchHandler = (request: Request) => Promise<Response>

export interface HandlerSettings extends AppSettings {
  /**
   * The address of the peer, which only the runtime knows. Without it, and without trusted proxies, all wrong keys count as those
   * of one client.
   */
  readonly peerAddress?: (request: Request) => string | undefined
}
