// Opens LMDB in a folder, and keeps its writers from losing a commit while other processes open the same folder.
//
// All processes share the number of the latest commit. One that opens the folder sets it to what it read from the data file a moment
// before, and takes no lock for that (mdb_env_open2 in lmdb 3.5.6). If another process commits in between, the number is too small:
// reads miss the commit, and the next write would replace it. So each write checks the number, and waits while it is too small.
// Whoever opens a folder checks it too, and opens again if necessary: no write is in between then, so the number will be right.
import { setTimeout as sleep } from 'node:timers/promises'
import * as t from 'io-ts'
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'

export type Root = RootDatabase<Buffer, string | Uint8Array>

/** Maximum number of tables in a folder: those of now, and room for future ones. */
const MAX_TABLES = 32

/** Milliseconds after which a process counts as stopped between the opening of the folder and its check. */
const STOPPED_MS = 1_000

/** Milliseconds that a commit in progress may take to raise the number, after it has written its header. */
const COMMIT_MS = 100

const STOPPED =
  'a process was stopped while it opened the folder, and LMDB would replace the latest commit: open the folder in a new process, ' +
  'such as that of "animal-store verify", or restart this one'

const poll = async <A>(attempt: () => A | undefined | Promise<A | undefined>, limitMs: number) => {
  const end = performance.now() + limitMs
  for (;;) {
    const result = await attempt()
    if (result !== undefined || performance.now() > end) return result
    await sleep(1)
  }
}

const newestCommit = (root: Root): number => {
  const { lastTxnId } = root.getStats() as { readonly lastTxnId?: unknown }
  if (!t.number.is(lastTxnId)) throw new Error('LMDB does not say which commit is the latest')
  return lastTxnId
}

/** The commit that new reads of this process see; undefined if there is no lock file, and thus no shared number. */
const seenCommit = (root: Root): number | undefined => {
  root.resetReadTxn()
  const transaction = root.useReadTransaction()
  try {
    // a line per reader: process, thread, commit
    const lines = [...root.readerList().matchAll(/^ *(\d+) \S+ (\d+)$/gm)].filter(
      ([, pid]) => Number(pid) === process.pid,
    )
    return lines.length === 0 ? undefined : Math.max(...lines.map(([, , commit]) => Number(commit)))
  } finally {
    transaction.done()
  }
}

const seesLatest = async (root: Root): Promise<true | undefined> => {
  const newest = newestCommit(root)
  return poll(() => (seenCommit(root) ?? newest) >= newest || undefined, COMMIT_MS)
}

/** The mode of new files, an option that the binding's types do not declare. */
interface Permissions {
  readonly permissionsMode: number
}

/** With `readOnly`, LMDB does not change the data file, and works without a lock file if it cannot create one. */
export const openRoot = async (directory: string, { readOnly }: { readonly readOnly: boolean }): Promise<Root> => {
  const options: RootDatabaseOptionsWithPath & Permissions = {
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    maxDbs: MAX_TABLES,
    // with overlapping sync, a commit would be acknowledged, and its events read, while a crash can still undo it
    overlappingSync: false,
    // we group writes ourselves: the binding's batches leave an unhandled rejection behind when a commit fails
    eventTurnBatching: false,
    permissionsMode: 0o600,
    readOnly,
  }
  const root = await poll(async () => {
    const opened = open<Buffer, string | Uint8Array>(options)
    let isLatest: true | undefined
    try {
      isLatest = await seesLatest(opened)
    } finally {
      if (isLatest === undefined) await opened.close()
    }
    return isLatest && opened
  }, STOPPED_MS)
  if (root === undefined) throw new Error(STOPPED)
  return root
}

export const withRoot = async <A>(
  directory: string,
  options: { readonly readOnly: boolean },
  job: (root: Root) => A | Promise<A>,
): Promise<A> => {
  const root = await openRoot(directory, options)
  try {
    return await job(root)
  } finally {
    await root.close()
  }
}

/** Repeats a write transaction until it begins at the latest commit: `transact` asks first, and returns undefined if it does not. */
export const fromLatest = async <A>(
  root: Root,
  transact: (isLatest: () => boolean) => A | undefined | Promise<A | undefined>,
): Promise<A> => {
  const result = await poll(() => transact(() => root.getWriteTxnId() > newestCommit(root)), STOPPED_MS)
  if (result === undefined) throw new Error(STOPPED)
  return result
}
