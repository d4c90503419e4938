import type { InvalidApiKey } from '../domain/errors.js'

/** A request whose response was made. Contains no header and no body, and a key only as its id, unless a client puts it into the path. */
export interface RequestReport {
  readonly requestId: string
  /** `_OTHER` if it is not a standard one; empty if the request could not be parsed. */
  readonly method: string
  /** The path as it was sent: it may hold anything, a key sent by mistake too. */
  readonly path: string
  /** The template of the route, or `unmatched`. */
  readonly route: string
  /** Whether orchestrators send such a request every few seconds. */
  readonly isProbe: boolean
  /** Whether the route is deprecated. */
  readonly isDeprecated: boolean
  readonly status: number
  /** The code in the Error shape, if the reply has it. */
  readonly code: string | undefined
  /** What the status does not show: too many requests were in flight, or an earlier request had added the pet. */
  readonly detail: 'shed' | 'replayed' | undefined
  /** Events sent on a stream; undefined for all other responses. */
  readonly events?: number | undefined
  /** Bytes of the response's body. */
  readonly bytes: number
  /** Milliseconds from the headers of the request until the response is passed to the socket. Undefined if the headers were refused. */
  readonly milliseconds: number | undefined
  readonly keyId: string | undefined
  /** Why the API key is invalid, which the client does not learn. */
  readonly invalidKeyReason: InvalidApiKey['reason'] | undefined
  /** The id in an invalid API key: as the client wrote it, so it may belong to no key. */
  readonly invalidKeyId: string | undefined
  /** The address that a trusted proxy reports; if the API key is invalid, else that of the peer. */
  readonly clientAddress: string | undefined
  readonly traceId: string | undefined
}

/** Streams of events that have begun or ended, and events sent on them. */
export interface StreamChange {
  readonly open: number
  readonly events: number
}

/** Receives what a service does for its clients. Its functions are cheap and never throw. */
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
  /** Of the log of commits that are not in the file yet, if the store has one. */
  readonly logBytes: number
  /** The part of the file that later writes use before it grows. */
  readonly freeBytes: number
  readonly diskBytes: number
  readonly diskAvailableBytes: number
  /** 0 if there has been no backup. */
  readonly lastBackupMs: number
}

/** The present state of a store. */
export type StoreLevels =
  | { readonly _tag: 'Pools'; readonly pools: readonly PoolLevels[]; readonly isWritable: boolean }
  | FileLevels

/**
 * Receives the measurements of a store. Its functions are cheap and never throw; a store without an observer measures nothing.
 */
export interface StoreObserver {
  /** A command or a commit has ended. */
  readonly command: (name: string, milliseconds: number, hasFailed: boolean) => void
  /** This many calls of an operation share one command or commit. */
  readonly batch: (operation: string, calls: number) => void
  /**
   * Called once, when the store opens. `commands` are the names that `command` may get, so that their failures can be counted from 0.
   * `read` may throw, which means that nothing is known.
   */
  readonly watch: (commands: readonly string[], read: () => StoreLevels) => void
}
