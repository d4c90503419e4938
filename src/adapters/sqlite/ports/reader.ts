// The connection of the main thread, which only reads.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import type { OfStorage } from '../../../ports/storage.js'
import { type Connection, connect, opening } from '../file/connection.js'
import { filesOf } from '../file/files.js'
import { syncToDisk, unlessMissing } from '../file/folder.js'
import { ensureSchema } from '../file/schema.js'

/** What the ports read with. */
export interface Reader extends OfStorage {
  readonly connection: Connection
  /** A job that throws is `Unavailable`. */
  readonly read: <A>(job: () => A) => TaskEither<Unavailable, A>
}

/** After a kill, SQLite shows commits that nobody has synced; whoever reads them out and then loses power would break the law of the log. */
const syncLog = async (path: string): Promise<void> => {
  const [, log = ''] = filesOf(path)
  await unlessMissing(syncToDisk(log))
}

export const openReader = async (path: string): Promise<{ readonly reader: Reader; readonly logId: string }> => {
  await syncLog(path)
  const connection = opening(() => connect(path, { readOnly: false }))
  try {
    opening(() => ensureSchema(connection))
    connection.exec('PRAGMA query_only = ON')
    const logId = opening(() => connection.first('SELECT log_id FROM store'))?.[0]
    if (typeof logId !== 'string') throw new Error('the id of its log is missing')
    const read: Reader['read'] = (job) => async () => {
      try {
        return E.right(job())
      } catch (cause) {
        return E.left(unavailable(cause))
      }
    }
    return { reader: { storage: Symbol(path), connection, read }, logId }
  } catch (error) {
    connection.close()
    throw error
  }
}
