// An open LMDB environment. Reads see the latest commit of any process; writes use group commit.
import { constants } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import type { StoreObserver } from '../../../ports/store-observer.js'
import { fromLatest, openRoot, type Root } from '../tables/root.js'
import { createTables, fileLevels, type Tables, takeSnapshot } from '../tables/tables.js'
import { withOwner } from './access-denied.js'
import { watchFiles } from './data-file.js'
import { checkSpace, type FolderSettings, markFolder, prepareFolder } from './folder.js'
import { COMMIT, type GroupCommit, makeGroupCommit } from './group-commit.js'
import { enterFolder } from './pid-namespace.js'

/** The result of a job that writes. A failed job must not have written anything. */
export type WriteResult<A> = E.Either<Unavailable, A>

type WriteJob<A> = (tables: Tables) => WriteResult<A>

const settled =
  <A>(work: () => WriteResult<A> | Promise<WriteResult<A>>): TaskEither<Unavailable, A> =>
  async () => {
    try {
      return await work()
    } catch (cause) {
      return E.left(unavailable(cause))
    }
  }

const isWithCommitError = (error: unknown): error is Error & { readonly commitError: Promise<never> } =>
  error instanceof Error && 'commitError' in error && error.commitError instanceof Promise

/** LMDB's numbers for a full disk. If the disk cuts a write short, that is the number of a broken one. */
const DISK_ERRORS: readonly unknown[] = [constants.errno.ENOSPC, constants.errno.EIO]

/** After a failed write of a meta page LMDB refuses every call, until the environment is opened again. */
const isPanic = (cause: unknown): boolean => E.toError(cause).message.includes('MDB_PANIC')

export interface EnvironmentSettings extends FolderSettings {
  readonly observer?: StoreObserver | undefined
}

const openHandles = async (settings: FolderSettings) => {
  const { directory, notify } = settings
  await prepareFolder(settings)
  const leave = await enterFolder(directory, notify)
  const roots: Root[] = []
  const opened = async (): Promise<Root> => {
    const root = await openRoot(directory, { readOnly: false })
    roots.push(root)
    return root
  }
  try {
    // reads of the writer would see uncommitted changes of an open transaction
    const [writer, reader] = [await opened(), await opened()]
    const writable = await createTables(writer)
    const readable = await createTables(reader)
    await markFolder(directory)
    return { writer, reader, writable, readable, leave }
  } catch (cause) {
    await Promise.all(roots.map((root) => root.close()))
    await leave()
    throw cause
  }
}

const committing = new Set<Pick<GroupCommit, 'isBusy'>>()

// an exit during a commit would hang, because it waits for the binding's thread, which waits for JavaScript: kill instead
const killDuringCommit = (): void => {
  if ([...committing].some((commits) => commits.isBusy())) process.kill(process.pid, 'SIGKILL')
}

/** Until the returned function is called. One listener for all, because Node warns of more than ten. */
const killDuring = (commits: Pick<GroupCommit, 'isBusy'>): (() => void) => {
  if (committing.size === 0) process.on('exit', killDuringCommit)
  committing.add(commits)
  return () => {
    committing.delete(commits)
    if (committing.size === 0) process.off('exit', killDuringCommit)
  }
}

/** Rejects with a readable message, and changes nothing, if the folder cannot be used. */
export const openEnvironment = async (settings: EnvironmentSettings) => {
  const { directory, notify, observer } = settings
  const { writer, reader, writable, readable, leave } = await openHandles(settings).catch(async (cause: unknown) => {
    const { message } = E.toError(await withOwner(cause))
    throw new Error(`cannot open the store in ${directory}: ${message}`, { cause })
  })
  const checkFiles = watchFiles(directory, notify)
  const read = <A>(job: (tables: Tables) => A): A => {
    // the binding reuses its snapshot for a while, so it may miss commits of other processes
    reader.resetReadTxn()
    return job(readable)
  }

  let isPanicReported = false
  /** Throws if LMDB refuses every call. `failure` is the write that failed before. */
  const checkUsable = (failure?: unknown): void => {
    try {
      read(({ meta }) => meta.getStats())
    } catch (cause) {
      if (isPanic(cause) && !isPanicReported) {
        isPanicReported = true
        const message = 'the embedded store cannot be used until it is opened again'
        notify({ level: 'fatal', message, details: { directory, reason: E.toError(failure ?? cause).message } })
      }
      throw cause
    }
  }

  const transact = async (group: () => Promise<void>): Promise<void> => {
    // a transaction that LMDB refuses to begin would never end
    checkUsable()
    try {
      // a throw rolls back only a child transaction
      await fromLatest(writer, (isLatest) =>
        writer.childTransaction(async () => {
          if (!isLatest()) return undefined
          await group()
          checkFiles()
          return true
        }),
      )
    } catch (error) {
      // this promise rejects with the reason of a failed commit; unhandled, it would crash the process
      const reason = isWithCommitError(error) ? await error.commitError.catch(E.toError) : error
      checkUsable(reason)
      if (reason instanceof Error && 'code' in reason && DISK_ERRORS.includes(reason.code)) await checkSpace(directory)
      throw reason
    }
  }
  const commits = makeGroupCommit(transact, observer)
  observer?.watch([COMMIT], () => fileLevels(directory, readable))

  const forget = killDuring(commits)

  const close = async (): Promise<void> => {
    // handles cannot be closed while a commit hangs; the exit of the process frees them
    if (!(await commits.stop())) return
    forget()
    await reader.close()
    await writer.close()
    await leave()
  }
  let closed: Promise<void> | undefined

  return {
    storage: Symbol(directory),
    /** A job that throws is `Unavailable`. */
    read: <A>(job: (tables: Tables) => A) => settled(() => E.right(read(job))),
    /** Returns once the job's writes are synced to disk. A job that throws fails alone; those beside it run again. */
    write: <A>(job: WriteJob<A>) => settled(() => commits.write(() => job(writable))),
    /** See GroupCommit. */
    writeUncommitted: <A>(job: WriteJob<A>) => settled(() => commits.writeUncommitted(() => job(writable))),
    snapshot: () => takeSnapshot(reader, readable),
    /** Checks that the folder is readable and its files are still the opened ones. */
    ping: settled(() => {
      checkFiles()
      checkUsable()
      return E.right(undefined)
    }),
    /** Waits for writes in progress, then closes. Later calls share the result of the first. */
    close: () => (closed ??= close()),
  }
}

export type Environment = Awaited<ReturnType<typeof openEnvironment>>
