// One opened folder: reads see the latest commit of whatever process, writes are committed in groups.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import type { Notify } from '../../../ports/notice.js'
import { MAX_TABLES, openTables, type Tables } from '../tables/tables.js'
import { watchFiles } from './files-in-place.js'
import { markFolder, prepareFolder } from './folder.js'
import { makeGroupCommit } from './group-commit.js'

/** What a writing job answers: a failure is answered before anything is written. */
export type Written<A> = E.Either<Unavailable, A>

export interface Environment {
  readonly read: <A>(job: (tables: Tables) => A) => TaskEither<Unavailable, A>
  /** Answers once what the job wrote is synced to the disk; a job that throws undoes its whole group. */
  readonly write: <A>(job: (tables: Tables) => Written<A>) => TaskEither<Unavailable, A>
  /** Answers before the commit; a write that follows at once is in the same commit. */
  readonly writeUncommitted: <A>(job: (tables: Tables) => Written<A>) => TaskEither<Unavailable, A>
  /** Whether the folder can be read and its files are still those that were opened. */
  readonly ping: TaskEither<Unavailable, void>
  /** Ends what is under way; asked for again, it is done once. */
  readonly close: () => Promise<void>
}

const settled =
  <A>(work: () => Written<A> | Promise<Written<A>>): TaskEither<Unavailable, A> =>
  async () => {
    try {
      return await work()
    } catch (cause) {
      return E.left(unavailable(cause))
    }
  }

type Root = RootDatabase<Buffer, string>

/** The binding knows it and does not declare it: the mode of the files that it makes. */
interface Permissions {
  readonly permissionsMode: number
}

const openRoot = (directory: string): Root => {
  const options: RootDatabaseOptionsWithPath & Permissions = {
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    maxDbs: MAX_TABLES,
    // a commit is durable when it resolves: no second, later point of durability to be missed
    overlappingSync: false,
    // the groups are ours; the binding's own would leave a promise behind that nobody handles when a commit fails
    eventTurnBatching: false,
    permissionsMode: 0o600,
  }
  return open<Buffer, string>(options)
}

const isWithCommitError = (error: unknown): error is Error & { readonly commitError: Promise<never> } =>
  error instanceof Error && 'commitError' in error && error.commitError instanceof Promise

/** One transaction; after a failed commit the error is the one that tells why. A throw of `check` undoes the group. */
const transactOn =
  (root: Root, check: () => void) =>
  async (group: () => Promise<void>): Promise<void> => {
    try {
      // a child transaction, because only that one is undone by a throw
      await root.childTransaction(async () => {
        await group()
        check()
      })
    } catch (error) {
      // left unhandled, this second promise would end the process
      if (isWithCommitError(error)) await error.commitError
      throw error
    }
  }

export interface EnvironmentSettings {
  readonly directory: string
  /** Whether a foreign or truncated data file is refused; without that, LMDB ends the process by a signal. */
  readonly checksDataFile: boolean
  /** Is told when the open files leave the folder, and when they are back. */
  readonly notify: Notify
}

interface Handles {
  readonly writer: Root
  /** A handle of its own: while a transaction is open, reads over the writer's would see what is not committed. */
  readonly reader: Root
  readonly writable: Tables
  readonly readable: Tables
}

const openHandles = async ({ directory, checksDataFile }: EnvironmentSettings): Promise<Handles> => {
  try {
    await prepareFolder(directory, checksDataFile)
    const [writer, reader] = [openRoot(directory), openRoot(directory)]
    const handles = { writer, reader, writable: openTables(writer), readable: openTables(reader) }
    await markFolder(directory)
    return handles
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`cannot open the store in ${directory}: ${reason}`, { cause })
  }
}

/** Rejects, with a message for people, if the folder cannot be used; then what it holds has not been changed. */
export const openEnvironment = async (settings: EnvironmentSettings): Promise<Environment> => {
  const { writer, reader, writable, readable } = await openHandles(settings)
  const checkFiles = watchFiles(settings.directory, settings.notify)
  const commits = makeGroupCommit(transactOn(writer, checkFiles))
  // an exit under a commit waits for the binding's thread, which waits for a turn of this one: better killed than hung
  const endAtOnce = (): void => {
    if (commits.isBusy()) process.kill(process.pid, 'SIGKILL')
  }
  process.on('exit', endAtOnce)

  const read = <A>(job: (tables: Tables) => A): A => {
    // the binding keeps a snapshot for a while, which may lack what another process has committed
    reader.resetReadTxn()
    return job(readable)
  }

  const ping = (): Written<void> => {
    checkFiles()
    read(({ meta }) => meta.getStats())
    return E.right(undefined)
  }

  const close = async (): Promise<void> => {
    // handles under a commit that never ends cannot be closed; the end of the process frees them
    if (!(await commits.stop())) return
    process.off('exit', endAtOnce)
    await reader.close()
    await writer.close()
  }
  let closed: Promise<void> | undefined

  return {
    read: (job) => settled(() => E.right(read(job))),
    write: (job) => settled(() => commits.write(() => job(writable))),
    writeUncommitted: (job) => settled(() => commits.writeUncommitted(() => job(writable))),
    ping: settled(ping),
    close: () => (closed ??= close()),
  }
}
