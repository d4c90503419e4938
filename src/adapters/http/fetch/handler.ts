// A handler of the Fetch standard, and its settings.
import type { AppSettings } from '../settings.js'

/** Ignores what runtimes pass after the request. @since 1.0.0 @category HTTP */
export type FetchHandler = (request: Request) => Promise<Response>

/** @since 1.0.0 @category HTTP */
export interface HandlerSettings extends AppSettings {
  /**
   * The address of the peer, which only the runtime knows. Without it, and without trusted proxies, all wrong keys count as those
   * of one client.
   */
  readonly peerAddress?: (request: Request) => string | undefined
}
