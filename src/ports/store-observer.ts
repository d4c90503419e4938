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
