import type { InvalidApiKey } from '../domain/errors.js'

/** A request that got a response. Contains no headers or body, and no API key unless a client put it into the path. */
export interface RequestReport {
  readonly requestId: string
  /** `_OTHER` if not a standard method; empty if the request could not be parsed. */
  readonly method: string
  /** The path as sent. May contain anything, even an API key sent by mistake. */
  readonly path: string
  /** The template of the route, or `unmatched`. */
  readonly route: string
  /** Whether orchestrators send such a request every few seconds. */
  readonly isProbe: boolean
  readonly isDeprecated: boolean
  readonly status: number
  /** The code in the Error shape, if the reply has it. */
  readonly code: string | undefined
  /** `shed`: too many requests were in flight. `replayed`: an earlier request had added the pet. */
  readonly detail: 'shed' | 'replayed' | undefined
  /** Events sent on a stream; undefined for all other responses. */
  readonly events?: number | undefined
  /** Bytes of the response body. */
  readonly bytes: number
  /** From the headers of the request until the response is passed to the socket; undefined if headers were refused. */
  readonly milliseconds: number | undefined
  readonly keyId: string | undefined
  /** Why the API key is invalid; never sent to the client. */
  readonly invalidKeyReason: InvalidApiKey['reason'] | undefined
  /** The id in an invalid API key, as sent; it may belong to no key. */
  readonly invalidKeyId: string | undefined
  /** The address reported by a trusted proxy; without one, that of the peer, but only if the API key is invalid. */
  readonly clientAddress: string | undefined
  readonly traceId: string | undefined
}

/** Change in the number of open event streams, and events sent on them. */
export interface StreamChange {
  readonly open: number
  readonly events: number
}

/** Observes requests and streams. Its functions must be cheap and should not throw. */
export interface Observer {
  readonly stream?: (change: StreamChange) => void
  readonly responded: (report: RequestReport) => void
  /** The cause of a 500 or 503, or of an error without a response. */
  readonly failed: (cause: unknown, requestId: string) => void
}

/** Connections of one pool. */
export interface PoolLevels {
  readonly pool: string
  readonly inUse: number
  readonly idle: number
  /** Commands that wait for a connection. */
  readonly waiting: number
}

/** The data file of an embedded store, and its disk. */
export interface FileLevels {
  readonly _tag: 'File'
  readonly fileBytes: number
  /** Size of the log of commits not yet in the file; 0 without one. */
  readonly logBytes: number
  /** Unused space in the file, which later writes fill before the file grows. */
  readonly freeBytes: number
  readonly diskBytes: number
  readonly diskAvailableBytes: number
  /** Milliseconds since 1970; 0 without a backup. */
  readonly lastBackupMs: number
}

export type StoreLevels =
  | { readonly _tag: 'Pools'; readonly pools: readonly PoolLevels[]; readonly isWritable: boolean }
  | FileLevels

/**
 * Receives measurements of a store. Its functions must be cheap and must not throw. Without it, nothing is measured.
 */
export interface StoreObserver {
  /** A command or a commit has ended. */
  readonly command: (name: string, milliseconds: number, hasFailed: boolean) => void
  /** `calls`: the number of calls of an operation that share one command or commit. */
  readonly batch: (operation: string, calls: number) => void
  /**
   * Called once, when the store opens. `commands`: the names that `command` may get, so that their failures can be
   * counted from 0. `read` may throw, which means that the levels are unknown.
   */
  readonly watch: (commands: readonly string[], read: () => StoreLevels) => void
}
